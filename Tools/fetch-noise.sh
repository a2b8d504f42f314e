#!/bin/sh
# Prepares recordings to mix chirps with, outside the repository: music out of Debian packages that are free to use, and
# synthetic speech. Prints the folder. Needs ffmpeg, espeak-ng and apt-get (to download; nothing is installed).
#
#   Tools/fetch-noise.sh [FOLDER]      default: ${XDG_CACHE_HOME:-~/.cache}/chirp/noise
set -eu

folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/chirp/noise}
seconds=120
mkdir -p "$folder/music" "$folder/speech" "$folder/other" "$folder/fit" "$folder/packages"

convert() { # FILE START NAME
    [ -s "$folder/$3.flac" ] && return
    ffmpeg -v error -nostdin -ss "$2" -t "$seconds" -i "$1" -ac 1 -ar 44100 -f flac "$folder/$3.part" -y
    mv "$folder/$3.part" "$folder/$3.flac"
}

unpack() { # PACKAGE
    [ -d "$folder/packages/$1" ] && return
    (
        cd "$folder/packages"
        apt-get download -q "$1" >&2
        dpkg-deb -x "$1"_*.deb "$1"
        rm "$1"_*.deb
    )
}

# Orchestral, full band.
unpack wesnoth-1.16-music
for track in battle-epic elvish-theme frantic legends_of_the_north love_theme knolls revelation the_city_falls; do
    convert "$folder/packages/wesnoth-1.16-music/usr/share/games/wesnoth/1.16/data/core/music/$track.ogg" 15 \
        "music/wesnoth-$track"
done
# Rock with drums, full band.
unpack fretsonfire-songs-sectoid
for track in "Metal madness" "Feelings"; do
    convert "$folder/packages/fretsonfire-songs-sectoid/usr/share/games/fretsonfire/data/songs/sectoid/$track/song.ogg" \
        20 "music/sectoid-$(echo "$track" | tr 'A-Z ' 'a-z-')"
done
# Electronic, up to 4 kHz: the music of telephone queues.
unpack asterisk-moh-opsound-wav
for track in macroform-cold_day reno_project-system; do
    file=$(find "$folder/packages/asterisk-moh-opsound-wav" -name "$track.wav")
    convert "$file" 10 "music/moh-$track"
done
# Kept apart, to measure on what nothing was tuned on: the synthesisers of three games.
games="$folder/packages"
unpack asc-music
for track in frontiers machine_wars time_to_strike; do
    convert "$games/asc-music/usr/share/games/asc/music/$track.mp3" 15 "other/asc-$track"
done
unpack frozen-bubble-data
for track in introzik frozen-mainzik-1p frozen-mainzik-2p; do
    convert "$games/frozen-bubble-data/usr/share/games/frozen-bubble/snd/$track.ogg" 0 "other/bubble-$track"
done
unpack extremetuxracer-data
for track in calmrace-ks credits1-cp freezingpoint race1-jt spunkyrace-ks; do
    convert "$games/extremetuxracer-data/usr/share/games/etr/music/$track.ogg" 0 "other/racer-$track"
done
# What the acceptance model is fitted on: none of those that it is measured on.
for track in battle breaking_the_chains northerners suspense the_deep_path the_king_is_dead traveling_minstrels \
    underground vengeful wanderer; do
    convert "$folder/packages/wesnoth-1.16-music/usr/share/games/wesnoth/1.16/data/core/music/$track.ogg" 15 \
        "fit/wesnoth-$track"
done
for track in "Escape from chaosland" "War of freedom"; do
    convert "$folder/packages/fretsonfire-songs-sectoid/usr/share/games/fretsonfire/data/songs/sectoid/$track/song.ogg" \
        20 "fit/sectoid-$(echo "$track" | tr 'A-Z ' 'a-z-')"
done
for track in macroform-robot_dity macroform-the_simplicity manolo_camp-morning_coffee; do
    file=$(find "$folder/packages/asterisk-moh-opsound-wav" -name "$track.wav")
    convert "$file" 10 "fit/moh-$track"
done
# Speech: the licence text that every Debian system has, read by three voices, and by three others to fit on.
speak() { # FOLDER VOICE PREFIX
    name=${3:-}$(echo "$2" | tr '+' '-')
    [ -s "$folder/$1/$name.flac" ] && return
    tail -c +3000 /usr/share/common-licenses/GPL-3 | head -c 3000 |
        espeak-ng -v "$2" -w "$folder/$1/$name.wav" --stdin
    convert "$folder/$1/$name.wav" 0 "$1/$name"
    rm "$folder/$1/$name.wav"
}
for voice in en-us+f3 en-gb+m2 de+m1; do speak speech "$voice"; done
for voice in fr-fr+f2 es+m4 en-us+m5; do speak fit "$voice" speech-; done
echo "$folder"
