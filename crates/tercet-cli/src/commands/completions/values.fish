
# Metrics, tokenizers, statistics and languages are completed by tercet itself.
function __tercet_values
    tercet completions --values $argv[1] (commandline -ct | string replace -r -- '^--?[a-z]+=' '') 2>/dev/null
end
complete -c tercet -n "__fish_seen_subcommand_from score compare rank correlate" -s m -l metric -x -a "(__tercet_values metric)"
complete -c tercet -n "__fish_seen_subcommand_from tokenize" -s t -l tok -l tokenizer -x -a "(__tercet_values tokenizer)"
complete -c tercet -n "__fish_seen_subcommand_from correlate" -s s -l statistic -l stat -x -a "(__tercet_values statistic)"
complete -c tercet -n "__fish_seen_subcommand_from score compare rank tokenize meteor" -s l -l lang -x -a "(__tercet_values language)"
complete -c tercet -n "__fish_seen_subcommand_from metrics" -f -a "(__tercet_values metric)"
