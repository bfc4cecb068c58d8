# bash completion for gcdiag; written by 'gcdiag completion bash'

_gcdiag_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_gcdiag_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    COMPREPLY+=("$file")
  done < <(compgen -f -- "$cur")
}

_gcdiag() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=$((COMP_CWORD - 1)) command= word
  COMPREPLY=()
  # bash takes --option=value apart at the sign.
  if [[ $cur == = ]]; then
    cur=
  elif [[ ${COMP_WORDS[before]} == = ]]; then
    before=$((before - 1))
  fi
  local previous=${COMP_WORDS[before]}
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != -* ]]; then
      command=$word
      break
    fi
  done
  case $command:$previous in
{{values}}  esac
  case $command in
{{words}}  esac
}

complete -F _gcdiag gcdiag
