#!/bin/sh
# Installs Belfry on a board whose C library is musl, or takes it away again: a POSIX shell is enough.
#
# usage: ./install.sh [--root DIR] [--uninstall]
#
#   --root DIR     below DIR instead of /, for an image that is being made
#   --uninstall    takes away what was installed; the books, and the configuration, stay
#
# Installed again it is an upgrade: the configuration and the books stay, the service starts anew.
set -eu
cd "$(dirname "$0")"
root=
remove=false
list=/usr/share/belfry/installed-files

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case "$1" in
    --root)
      [ $# -gt 1 ] || fail "--root needs a folder"
      [ -d "$2" ] || fail "$2 is no folder"
      root=$(cd "$2" && pwd)
      root=${root%/}
      shift
      ;;
    --uninstall) remove=true ;;
    -h | --help)
      sed -n '2,/^set/{/^#/s/^# \{0,1\}//p;}' install.sh
      exit 0
      ;;
    *) fail "it does not take $1 (--help)" ;;
  esac
  shift
done

service() {
  [ -z "$root" ] && [ -x /etc/init.d/belfry ] || return 0
  if [ -x /sbin/rc-service ]; then rc-service belfry "$1"; else /etc/init.d/belfry "$1"; fi
}

user() {
  ! grep -q "^$1:" "$root/etc/passwd" 2> /dev/null || return 0
  # By hand: not every small system has adduser, and none has it in an image.
  number=200
  while grep -q ":$number:" "$root/etc/passwd" "$root/etc/group" 2> /dev/null; do number=$((number + 1)); done
  grep -q "^$1:" "$root/etc/group" 2> /dev/null || echo "$1:x:$number:" >> "$root/etc/group"
  number=$(sed -n "s/^$1:[^:]*:\([0-9]*\):.*/\1/p" "$root/etc/group")
  echo "$1:x:$number:$number:Belfry:/nonexistent:/sbin/nologin" >> "$root/etc/passwd"
  [ ! -f "$root/etc/shadow" ] || echo "$1:!:0::::::" >> "$root/etc/shadow"
}

# All are laid beside the old ones before the first takes its place: a full disk changes nothing.
lay() {
  { mkdir -p "$(dirname "$root$2")" && cp "$1" "$root$2.new" && chmod "$3" "$root$2.new"; } 2> /dev/null && return
  while read -r name; do rm -f "$root$name.new"; done < installed-files
  fail "$root$2 cannot be written: $(df -k "${root:-/}" | awk 'END {print $(NF - 2)}') kB are free there"
}

if $remove; then
  [ -f "$root$list" ] || fail "$root$list is missing: nothing was installed by this"
  service stop
  while read -r name; do rm -f "$root$name"; done < "$root$list"
  for folder in lib/belfry/plugins lib/belfry libexec/belfry share/belfry/sounds share/belfry/alsa share/belfry; do
    find "$root/usr/$folder" -depth -type d -exec rmdir {} \; 2> /dev/null || true
  done
  exit 0
fi

[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "only root may install; --root DIR lays it out elsewhere"
if [ -z "$root" ]; then
  files/usr/bin/belfryd --version > /dev/null 2>&1 ||
    fail "these programs are for $(cat architecture), and this machine is $(uname -m)"
  set -- /lib/ld-musl-*
  [ -e "$1" ] ||
    fail "/lib has no ld-musl: plugins need musl as this system's C library"
fi
# Who has stopped it finds it stopped after an upgrade, too.
starts=true
if [ -f "$root$list" ] && ! service status > /dev/null 2>&1; then starts=false; fi
init=service/belfry.init
[ ! -x "$root/sbin/openrc-run" ] || init=service/belfry.openrc
while read -r name; do
  case "$name" in
    /etc/init.d/belfry) lay "$init" "$name" 755 ;;
    "$list") lay installed-files "$name" 644 ;;
    *) if [ -x "files$name" ]; then lay "files$name" "$name" 755; else lay "files$name" "$name" 644; fi ;;
  esac
done < installed-files
sync
# What an older one had and this one has not.
if [ -f "$root$list" ]; then
  while read -r name; do grep -qxF "$name" installed-files || rm -f "$root$name"; done < "$root$list"
fi
while read -r name; do mv "$root$name.new" "$root$name"; done < installed-files
if [ ! -f "$root/etc/belfry/belfry.conf" ]; then
  mkdir -p "$root/etc/belfry"
  cp belfry.conf "$root/etc/belfry/belfry.conf.new"
  mv "$root/etc/belfry/belfry.conf.new" "$root/etc/belfry/belfry.conf"
fi
user belfry-worker
user belfry-speaker
sync
if ! $starts; then exit 0; fi
service restart
[ -n "$root" ] || echo "Belfry runs. For each start of the board: rc-update add belfry default with OpenRC; else
link /etc/init.d/belfry to where your init looks: /etc/init.d/S50belfry with busybox, /etc/rc.d/S95belfry with
OpenWrt. Then: belfry try"
