import FuzzSupport

FuzzTarget.run([.requests, .pages])
