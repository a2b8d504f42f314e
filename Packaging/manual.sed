# What lintian and groff want of the pages that swift-argument-parser writes: the name of a page in one word, as man finds it, with
# the words of the command left in its synopsis; and no empty lines.
/^\.Nm "/{
h
s/"//g
s/ /./2g
}
/^\.Nm$/{
x
/^\.Nm/!{x;b}
G
s/\n.*//
h
}
s/^$/.Pp/
# What swift-argument-parser takes for the exit statuses of every program.
s/^\.Ex -std.*/Status 0: done. 1: nothing was found. 2: an error, which a line on standard error describes. 64: wrong usage./
