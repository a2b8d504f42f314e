import FuzzSupport

FuzzTarget.run([.requests, .pages, .links, .texts, .entries, .answers, .routes, .bodies, .connections])
