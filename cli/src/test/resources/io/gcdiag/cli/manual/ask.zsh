# Prints each command line that follows the script $1, and below it what zsh offers for it: in an
# interactive shell on a pseudo-terminal, in which each call of compadd also writes down what
# matches. Ends with 77 where there are no pseudo-terminals.
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
zpty -w shell "finish() { BUFFER=; print -r -- : >>${(q)offered} }"
zpty -w shell "zle -N finish; bindkey -e; bindkey '^X' finish; bindkey '^I' complete-word"
shift
for line; do
  print -r -- ": $line"
  : >$offered
  zpty -w -n shell "$line"$'\t\x18'
  repeat 600; do
    grep -qx : $offered && break
    sleep 0.05
  done
  grep -vx : $offered
done
zpty -d shell
rm -f $offered
