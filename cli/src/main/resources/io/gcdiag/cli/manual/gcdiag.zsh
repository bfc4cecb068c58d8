#compdef gcdiag
# zsh completion for gcdiag; written by 'gcdiag completion zsh'

_gcdiag() {
  local context state state_descr line
  local -a commands
  typeset -A opt_args
  commands=(
{{commands}}  )
{{arguments}}  case $state in
    command) _describe command commands ;;
    arguments)
      case $line[1] in
{{cases}}      esac
      ;;
  esac
}

if [ "${funcstack[1]}" = _gcdiag ]; then
  _gcdiag "$@"
else
  compdef _gcdiag gcdiag
fi
