# Prints each command line that follows the script $1, and below it what the script offers for it,
# called as bash calls it.
source "$1"
complete -p gcdiag >/dev/null || exit 1
for line in "${@:2}"; do
  read -ra COMP_WORDS <<<"${line//=/ = }"
  # A blank or the sign at the end begins a new word.
  [[ $line != *[\ =] ]] || COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _gcdiag
  echo ": $line"
  for word in "${COMPREPLY[@]}"; do
    echo "$word"
  done
done
