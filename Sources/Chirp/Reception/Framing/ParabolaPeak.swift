/// Where the parabola through three equidistant values has its peak, −½ to ½ from the middle one.
func parabolaPeak<Value: BinaryFloatingPoint>(_ a: Value, _ b: Value, _ c: Value) -> Value {
    let curvature = a - 2 * b + c
    return curvature < 0 ? max(-0.5, min(0.5, 0.5 * (a - c) / curvature)) : 0
}
