# Lists the skipped tests in the output of go test -v, each with its own reason: the last line it logged.

/^=== (RUN|CONT|NAME)/ { test = $3; next }
/^ok |^FAIL|^PASS|^\?/ { next }

/^ *--- SKIP: / {
	name = $3
	if (!n++) print "\nSkipped:"
	print "  " name (name in reason ? ": " reason[name] : "")
	next
}

/^ +[A-Za-z0-9_]+\.go:[0-9]+: / {
	line = $0
	sub(/^ +[^ ]+ /, "", line)
	reason[test] = line
}
