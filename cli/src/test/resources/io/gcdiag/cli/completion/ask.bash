# Prints what the script $1 offers for the command line $2, called as bash calls it.
source "$1"
complete -p gcdiag >/dev/null || exit 1
read -ra COMP_WORDS <<<"${2//=/ = }"
# A blank or the sign at the end begins a new word.
[[ $2 != *[\ =] ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_gcdiag
for word in "${COMPREPLY[@]}"; do
  echo "$word"
done
