# Prints what fish offers for the command line $argv[2] with the script $argv[1].
source $argv[1]
complete -C $argv[2] | string replace -r '\t.*' ''
