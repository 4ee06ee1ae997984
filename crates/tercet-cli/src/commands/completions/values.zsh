# Metrics, tokenizers, statistics and languages are completed by tercet itself.
_tercet_values() {
    local -a found
    found=("${(@f)$(tercet completions --values "$1" "$PREFIX" 2>/dev/null)}")
    if [[ -n $found ]]; then compadd -S '' -- "${found[@]}"; else _default; fi
}
_tercet_metric() { _tercet_values metric }
_tercet_tokenizer() { _tercet_values tokenizer }
_tercet_statistic() { _tercet_values statistic }
_tercet_language() { _tercet_values language }

