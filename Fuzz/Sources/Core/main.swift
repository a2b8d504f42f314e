import FuzzSupport

FuzzTarget.run([.codes, .correction, .receiver, .formats])
