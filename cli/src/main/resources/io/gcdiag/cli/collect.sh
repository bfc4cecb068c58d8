#!/bin/sh
# Collects what gcdiag reads of one slow JVM, in one archive: gcdiag analyze ARCHIVE
#
#   sh collect.sh [-d SECONDS] [-o ARCHIVE] [-t FOLDER] [-m MB] PID
#
#     -d SECONDS  how long to record (60); collect while requests are slow
#     -o ARCHIVE  the file to write; - is standard output
#     -t FOLDER   where the JVM may write its recording, as the JVM sees it (/tmp)
#     -m MB       the largest recording (200); of each log the last tenth of that is taken
#
# On the host, as root or as the user of the service:
#   sh collect.sh PID
# In a container with a shell, and through an ephemeral container with a JDK:
#   docker exec -i CONTAINER sh -s -- -o - 1 < collect.sh > incident.tar.gz
#   kubectl exec -i POD -c app -- sh -s -- -o - 1 < collect.sh > incident.tar.gz
#   kubectl debug POD --image=eclipse-temurin:21 --target=app --profile=general -- sleep 900
#   kubectl exec -i POD -c DEBUGGER -- sh -s -- -o - 1 < collect.sh > incident.tar.gz
#
# It changes nothing but a recording that it starts and stops, and removes what the JVM wrote. Each command
# has 30 seconds.
# Values of secret properties and variables of the process are overwritten with x in every file.
# Needs a POSIX shell, sed and tar; jcmd for recordings, settings of the JVM and most dumps.

set -u
umask 077
start=$(pwd)
export LC_ALL=C TZ=UTC

# What to collect: recording dumps flags heap histogram cgroup machine logs
parts='@PARTS@'
secret='[Pp][Aa][Ss][Ss][Ww]|[Pp][Ww][Dd]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Tt][Oo][Kk][Ee][Nn]|[Cc][Rr][Ee][Dd][Ee][Nn]|([Aa][Pp][Ii]|[Aa][Cc][Cc][Ee][Ss][Ss]|[Pp][Rr][Ii][Vv][Aa][Tt][Ee])[._-]?[Kk][Ee][Yy]'

written='[Pp]assw|[Pp]wd|[Ss]ecret|[Tt]oken|[Aa]pi-?_?[Kk]ey|[Cc]redential|PASSW|SECRET|TOKEN|API_?KEY'

collect() {
  seconds=60 out='' tmp=/tmp mb=200
  usage() { echo "usage: sh collect.sh [-d SECONDS] [-o ARCHIVE] [-t FOLDER] [-m MB] PID" >&2; exit 2; }
  while getopts d:o:t:m: option; do
    case $option in
      d) seconds=$OPTARG ;; o) out=$OPTARG ;; t) tmp=$OPTARG ;; m) mb=$OPTARG ;; *) usage ;;
    esac
  done
  shift $((OPTIND - 1))
  [ $# = 1 ] || usage
  pid=$1
  case $pid$seconds$mb in *[!0-9]*) usage ;; esac
  say() { echo "collect: $*" >&2; }
  [ -d "/proc/$pid" ] || { say "there is no process $pid here (jcmd -l or ps lists them)"; exit 2; }
  [ -n "$out" ] || out=incident-$pid-$(date +%Y%m%dT%H%M%S).tar.gz

  wants() { case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
  if timeout 1 true 2>/dev/null; then limited() { timeout 30 "$@"; }; else limited() { "$@"; }; fi

  # The files of the process as this shell sees them: another container has another root.
  # A link would lead to a folder of this shell's own root.
  root=/proc/$pid/root
  [ -r "$root$tmp/." ] && [ ! -h "$root$tmp" ] || root=''
  user=$(stat -c %u "/proc/$pid") group=$(stat -c %g "/proc/$pid")

  # jcmd of the JVM's own JDK before any other; its user and group before root, as JDK 8 asks;
  # from another container root alone may see its files.
  jcmd='' java=$(readlink "/proc/$pid/exe" 2>/dev/null)
  for file in "${java%/*}/jcmd" "${java%/jre/bin/java}/bin/jcmd" "${JAVA_HOME:-/}/bin/jcmd" "$(command -v jcmd)"; do
    [ -x "$file" ] && { jcmd=$file; break; }
  done
  own=''
  [ "$(id -u)" = 0 ] && [ "$user" != 0 ] && command -v setpriv >/dev/null && own=yes
  ask() {
    if [ -n "$own" ]; then
      limited setpriv --reuid "$user" --regid "$group" --clear-groups "$jcmd" "$pid" "$@"
    else
      limited env -u JAVA_TOOL_OPTIONS "$jcmd" "$pid" "$@"
    fi </dev/null 2>/dev/null
  }

  recordings() { # a command about one; the first JDKs with recordings called its number recording
    do=$1 number=$2
    shift 2
    ask "$do" name="$number" "$@" || ask "$do" recording="$number" "$@"
  }

  dir=$(mktemp -d "${TMPDIR:-/tmp}/gcdiag.XXXXXX") || { say "set TMPDIR to a folder that can be written"; exit 2; }
  box='' recording='' others=''
  # shellcheck disable=SC2329,SC2317
  finish() {
    [ -z "$recording" ] || recordings JFR.stop "$recording" >/dev/null
    # shellcheck disable=SC2086
    [ -z "$others" ] || kill $others 2>/dev/null
    rm -rf "$dir" ${box:+"$box"}
  }
  trap finish EXIT
  trap 'exit 130' HUP INT TERM
  mkdir "$dir/incident" && cd "$dir/incident" || exit 2

  if [ -z "$jcmd" ]; then
    say "no jcmd here: no recording, and dumps only where the JVM's output is a file"
  elif ! { ask VM.version || { [ -n "$own" ] && own='' && ask VM.version; }; } >version.txt; then
    say "jcmd cannot attach to $pid: run this as user $user and group $group, or as root"
    jcmd=''
    rm version.txt
  fi

  # 1. The recording. One that runs is taken as it is: it holds the time before the incident.
  # The JVM writes it into a new folder that is its user's alone, whose name nobody can know before.
  if [ -n "$jcmd" ] && wants recording && box=$(mktemp -d "$root$tmp/gcdiag.XXXXXX"); then
    at=${box#"$root"}
    settings >"$box/gcdiag.jfc"
    chown -R "$user:$group" "$box" 2>/dev/null
    running=$(ask JFR.check | sed -n 's/^Recording[ :]*\(recording=\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1)
    if [ -n "$running" ]; then
      say "recording $running runs already and is dumped at the end"
    else
      for settings in "$at/gcdiag.jfc" profile; do
        running=$(ask JFR.start name="${box##*/}" settings="$settings" maxsize="${mb}m" \
          | sed -n 's/^Started recording \([0-9]*\).*/\1/p')
        recording=$running
        [ -z "$running" ] || break
      done
      [ -n "$running" ] || say "the JVM starts no recording: JFR needs JDK 11, or JDK 8u262"
    fi
  fi

  # 2. What does not change.
  if [ -n "$jcmd" ]; then
    wants flags && ask VM.flags >flags.txt
    wants heap && ask GC.heap_info >"$dir/heap" && { date; cat "$dir/heap"; } >heap.txt # from JDK 9 on
  fi
  wants machine && { date; cat /proc/meminfo; } >meminfo.txt 2>/dev/null
  wants machine && { date; cat "/proc/$pid/status"; } >status.txt 2>/dev/null

  dump() {
    wants dumps || return 0
    if [ -n "$jcmd" ]; then
      ask Thread.print -l >"threads-$1.txt"
    elif [ -f "/proc/$pid/fd/1" ] && [ -r "/proc/$pid/fd/1" ]; then
      kill -QUIT "$pid" # the JVM prints its threads and goes on
    fi
  }
  group_files() { # each line after the name of its file
    wants cgroup || return 0
    path=$(sed -n 's/^0:://p; s/^[0-9]*:[^:]*\bcpu\b[^:]*://p' "/proc/$pid/cgroup" 2>/dev/null | head -n 1)
    for file in cpu.stat cpu.max cpu.cfs_quota_us cpu.cfs_period_us memory.max memory.limit_in_bytes \
      memory.stat memory.events cpu.pressure; do
      for folder in "/sys/fs/cgroup$path" "/sys/fs/cgroup/cpu$path" "/sys/fs/cgroup/memory$path" \
        "$root/sys/fs/cgroup" "$root/sys/fs/cgroup/cpu" "$root/sys/fs/cgroup/memory"; do
        [ -r "$folder/$file" ] && sed "s|^|$file:|" "$folder/$file" 2>/dev/null && break
      done
    done >"$dir/group"
    [ -s "$dir/group" ] && { date; cat "$dir/group"; } >"cgroup-$1.txt"
  }

  # 3. The minute: three dumps, counters at both ends, figures of the machine meanwhile.
  group_files 1
  if wants machine; then
    times=$((seconds / 5 + 1))
    command -v vmstat >/dev/null && { vmstat -t 5 "$times" >vmstat.txt 2>/dev/null </dev/null & others="$others $!"; }
    command -v iostat >/dev/null && { iostat -x -t 5 "$times" >iostat.txt 2>/dev/null </dev/null & others="$others $!"; }
    top -b -H -d 10 -n $((seconds / 10 + 1)) -p "$pid" >top.txt 2>/dev/null </dev/null & others="$others $!"
  fi
  wants histogram && [ -n "$jcmd" ] && ask GC.class_histogram >histogram-1.txt
  dump 1
  say "recording for $seconds s"
  sleep $((seconds / 2))
  dump 2
  sleep $((seconds - seconds / 2))
  dump 3
  wants histogram && [ -n "$jcmd" ] && ask GC.class_histogram >histogram-2.txt
  group_files 2

  if [ -n "${running:-}" ]; then
    recordings JFR.dump "$running" filename="$at/recording.jfr" >/dev/null
    if [ -s "$box/recording.jfr" ] && [ ! -h "$box/recording.jfr" ]; then
      cp "$box/recording.jfr" recording.jfr
    else
      say "the JVM wrote no recording to $tmp: name a folder of its own with -t"
    fi
  fi

  end() {
    [ -f "$1" ] && tail -c "$((mb / 10))000000" "$1" >"$(echo "${2#/}" | tr / -)" 2>/dev/null
  }
  # 4. The ends of the logs that the process has open, and of their predecessors.
  if wants logs || { [ -z "$jcmd" ] && wants dumps; }; then
    for link in "/proc/$pid/fd/"*; do echo "$(readlink "$link") $link"; done 2>/dev/null | sort -u -k1,1 \
      | grep -E '^/[^ ]*(\.log|\.out|gc[^/ ]*|access[^/ ]*)(\.[0-9]+)?(\.current)? ' | grep -v '\.jar ' | head -n 10 \
      | while read -r file open; do
        end "$open" "$file"
        [ -h "$root$file.0" ] || end "$root$file.0" "$file.0"
      done
  fi

  # 5. Secrets: the value of each variable and option with a telling name, wherever it stands. The length
  # stays, so that a recording can still be read.
  tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" >"$dir/words"
  tr '\0' '\n' 2>/dev/null <"/proc/$pid/cmdline" | tr ' ' '\n' >>"$dir/words"
  sort -u "$dir/words" \
    | sed -nE "s/^-{0,2}D?[A-Za-z0-9_.-]*($secret)[A-Za-z0-9_.-]*=(.{4,})/\3/p; s|.*://[^/@:]*:([^/@]{4,})@.*|\1|p" \
    | while IFS= read -r value; do
      printf 's/%s/%s/g\n' "$(printf %s "$value" | sed 's/[][\\.*^$/]/\\&/g')" "$(printf %s "$value" | sed 's/./x/g')"
    done >"$dir/masks"
  # A short plain word may be one that the format of recordings needs, such as a field called name.
  if [ -s recording.jfr ] && grep -qE '^s/[A-Za-z]{4,7}/' "$dir/masks"; then
    say "a secret of this process is a short plain word, which cannot be masked: the recording is left out"
    rm -f recording.jfr
  fi
  for file in *; do
    [ -s "$file" ] || { rm -f "$file"; continue; }
    sed -f "$dir/masks" "$file" >"$dir/masked"
    if [ "$file" = recording.jfr ] && [ "$(wc -c <"$dir/masked")" != "$(wc -c <"$file")" ]; then
      say "this sed cannot mask a recording: it is left out"
      rm "$file"
      continue
    fi
    [ "$file" = recording.jfr ] || sed -E \
      "s/(($written)[A-Za-z_-]*\"?[=:] ?\"?)[^]\"&,; )]{4,}/\1xxxx/g; s/([Bb]earer|[Bb]asic) [A-Za-z0-9._~+\/=-]{8,}/\1 xxxx/g" \
      "$dir/masked" >"$dir/masked.2" && [ -s "$dir/masked.2" ] && mv "$dir/masked.2" "$dir/masked"
    touch -r "$file" "$dir/masked"
    cat "$dir/masked" >"$file"
    touch -r "$dir/masked" "$file"
  done

  # 6. One archive.
  cd "$dir" || exit 2
  [ -n "$(ls incident)" ] || { say "nothing could be collected"; exit 1; }
  say "collected: $(cd incident && echo ./*)"
  if [ "$out" = - ]; then
    tar -cf - incident | gzip
  else
    tar -cf - incident | gzip >archive || exit 1
    cd "$start" && cat "$dir/archive" >"$out" && say "gcdiag analyze $out"
  fi
}

# What the recording holds: short waits with their stacks, and what the JDK's own settings leave out.
settings() {
  cat <<'SETTINGS'
@SETTINGS@
SETTINGS
}

collect "$@"
