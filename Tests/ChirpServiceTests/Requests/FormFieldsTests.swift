import Testing

@testable import ChirpService

@Suite struct FormFieldsTests {
    @Test(arguments: [
        ("%41%2b%C3%a9", "A+é"), ("a+b", "a b"), ("%+f", "% f"), ("%-0", "%-0"), ("%4", "%4"), ("%", "%"),
        ("%zz", "%zz"),
        ("%%41", "%A"), ("%ff", "\u{FFFD}"),
    ])
    func `two hexadecimal digits after a percent sign are a byte, and nothing else is`(text: String, value: String) {
        #expect(FormFields("x=" + text)["x"] == value)
        #expect(FormFields(text + "=x")[value] == "x")
    }

    @Test func `a field that is given twice has its first value, and one without a value is empty`() {
        let form = FormFields("a=1&b&a=2&&c=")
        #expect(form["a"] == "1")
        #expect(form["b"] == "")
        #expect(form["c"] == "")
        #expect(form["d"] == nil)
    }

    @Test func `a multipart body has the fields that are not files, as they are`() {
        let body = """
            --edge\r
            Content-Disposition: form-data; name="url"\r
            \r
            https://example.org/?a=b%20c+d\r
            --edge\r
            Content-Disposition: form-data; name="picture"; filename="a.png"\r
            Content-Type: image/png\r
            \r
            bytes\r
            --edge\r
            Content-Disposition: form-data; name="title"\r
            \r
            Größe\r
            --edge--\r

            """
        let form = FormFields(body: Array(body.utf8), contentType: "multipart/form-data; boundary=edge")
        #expect(form["url"] == "https://example.org/?a=b%20c+d")
        #expect(form["title"] == "Größe")
        #expect(form["picture"] == nil)
    }
}
