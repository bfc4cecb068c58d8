# Prints what zsh offers for the command line $2 with the script $1: an interactive shell in a
# pseudo-terminal, in which each call of compadd also writes down what matches. Ends with 77 where
# there are no pseudo-terminals.
zmodload zsh/zpty || exit 77
offered=$(mktemp)
zpty shell zsh -f -i || exit 77
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; source ${(q)1}"
# Calls that ask for arrays of their own (-O, -A, -D) add nothing.
zpty -w shell "compadd() {
  local -a found
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    builtin compadd -O found \"\$@\"
    print -rl -- \$found >>${(q)offered}
  fi
  builtin compadd \"\$@\"
}"
zpty -w shell "finish() { print -r -- : END >>${(q)offered} }"
zpty -w shell "zle -N finish; bindkey '^X' finish; bindkey '^I' complete-word"
zpty -w -n shell "$2"$'\t'$'\x18'
repeat 300; do
  grep -q '^: END$' $offered && break
  sleep 0.1
done
zpty -d shell
grep -v '^: END$' $offered
rm -f $offered
