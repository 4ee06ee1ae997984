
# Metrics, tokenizers, statistics and languages are completed by tercet itself. bash cuts words at : and =, which metrics contain, so the word is
# taken from the line.
_tercet_or_values() {
    local line=${COMP_LINE:0:COMP_POINT} kind= before= IFS=$' \t\n'
    local -a typed
    read -ra typed <<< "$line"
    [[ $line == *[[:space:]] ]] && typed+=("")
    local last=$((${#typed[@]} - 1))
    local word=${typed[last]} flag=
    [[ $last -gt 1 ]] && flag=${typed[last - 1]}
    if [[ $word == --metric=* || $word == --tok=* || $word == --lang=* || $word == --statistic=* ]]; then
        flag=${word%%=*} word=${word#*=}
    fi
    case "${typed[1]} $flag" in
        "score -m" | "score --metric" | "compare -m" | "compare --metric" | "rank -m" | "rank --metric" | "correlate -m" | "correlate --metric") kind=metric ;;
        "tokenize -t" | "tokenize --tok" | "tokenize --tokenizer") kind=tokenizer ;;
        "correlate -s" | "correlate --statistic" | "correlate --stat") kind=statistic ;;
        "score -l" | "compare -l" | "rank -l" | "tokenize -l" | "meteor -l") kind=language ;;
        "score --lang" | "compare --lang" | "rank --lang" | "tokenize --lang" | "meteor --lang") kind=language ;;
        "metrics metrics") kind=metric ;;
        *) _tercet "$@"; return ;;
    esac
    if [[ $word == [\'\"]* ]]; then
        word=${word:1}
    elif [[ $COMP_WORDBREAKS == *[:=]* ]]; then
        before=${word%"${word##*[:=]}"}
    fi
    IFS=$'\n'
    COMPREPLY=($("${typed[0]}" completions --values "$kind" "$word" 2>/dev/null))
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
    type compopt &>/dev/null && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _tercet_or_values -o bashdefault -o default tercet
