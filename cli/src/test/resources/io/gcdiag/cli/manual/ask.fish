# Prints each command line that follows the script $argv[1], and below it what fish offers for it.
source $argv[1]
for line in $argv[2..-1]
    echo ": $line"
    complete -C $line | string replace -r '\t.*' ''
end
