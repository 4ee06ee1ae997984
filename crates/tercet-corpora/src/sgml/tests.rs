use super::*;

fn lines(name: &str, text: &str) -> Lines {
    Lines::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap()
}

fn read(text: &str) -> SgmlFile {
    let lines = lines("t.sgm", text);
    assert!(is_sgml(&lines), "{text}");
    SgmlFile::parse(&lines).unwrap()
}

fn error(text: &str) -> String {
    SgmlFile::parse(&lines("t.sgm", text)).unwrap_err().to_string()
}

/// Document, segment and text of each segment.
fn segments(text: &SgmlText) -> Vec<(&str, &str, &str)> {
    let documents = text.documents().iter();
    documents.flat_map(|document| document.segments().map(|(id, text)| (document.id(), id, text))).collect()
}

const REFERENCE: &str = "<refset setid=\"s\" srclang=\"any\" trglang=\"en\">\n\
    <doc sysid=\"ref\" docid=\"d1\">\n<hl>\n<seg id=\"1\"> One. </seg>\n</hl>\n<p><seg \
    id=\"2\">Two\nlines.</seg></p>\n</doc>\n\
    <doc sysid=\"ref\" docid=\"d2\">\n<seg id=\"1\"> Three </seg>\n</doc>\n</refset>\n";

#[test]
fn segments_have_their_document_and_one_line() {
    let file = read(REFERENCE);
    assert_eq!(file.set(), Some("s"));
    let texts = file.texts(SgmlKind::Reference).unwrap();
    assert_eq!(texts.len(), 1);
    assert_eq!(texts[0].name(), Some("ref"));
    assert_eq!(segments(texts[0]), [("d1", "1", "One."), ("d1", "2", "Two lines."), ("d2", "1", "Three")]);
    assert_eq!(
        file.texts(SgmlKind::Translation).unwrap_err().to_string(),
        "t.sgm has references, but translations are needed here"
    );
}

#[test]
fn tags_may_have_any_case_any_quotes_and_a_declaration_before_them() {
    let file = read(
        "\u{feff}<?xml version=\"1.0\"?>\n<!DOCTYPE mteval SYSTEM \"x.dtd\">\n<!-- <seg> --><mteval>\n\
         <TSTSET setid='s' sysid=A>\n<DOC docid='d 1' genre=nw>\n<Seg id=1>a</SEG ><seg id='2'/><seg\nid = \"3\" \
         >c</seg>\n\
         </DOC></TSTSET>\n<tstset setid='s' sysid=B><doc docid='d 1'><seg>x</seg><seg>y</seg></doc></tstset></mteval>",
    );
    let texts = file.texts(SgmlKind::Translation).unwrap();
    assert_eq!(texts.iter().map(|text| text.name()).collect::<Vec<_>>(), [Some("A"), Some("B")]);
    assert_eq!(segments(texts[0]), [("d 1", "1", "a"), ("d 1", "2", ""), ("d 1", "3", "c")]);
    assert_eq!(segments(texts[1]), [("d 1", "1", "x"), ("d 1", "2", "y")]);
}

#[test]
fn one_file_of_wmt_has_sources_references_and_translations() {
    let file = read(
        "<?xml version='1.0' encoding='utf-8'?>\n<dataset id=\"newstest2021.en-de\"><collection id='general'>\
         <doc id=\"d\" origlang=\"en\"><src lang=\"en\"><p><seg id=\"1\">S</seg></p></src>\
         <ref lang=\"de\" translator=\"A\"><p><seg id=\"1\">R</seg></p></ref>\
         <ref lang=\"de\" translator=\"B\"><p><seg id=\"1\">Q</seg></p></ref>\
         <hyp lang=\"de\" system=\"X\"><p><seg id=\"1\">T</seg></p></hyp></doc></collection></dataset>",
    );
    let texts = |kind| file.texts(kind).unwrap();
    assert_eq!(segments(texts(SgmlKind::Source)[0]), [("d", "1", "S")]);
    let names: Vec<_> = texts(SgmlKind::Reference).iter().map(|text| text.name()).collect();
    assert_eq!(names, [Some("A"), Some("B")]);
    assert_eq!(segments(texts(SgmlKind::Translation)[0]), [("d", "1", "T")]);
}

#[test]
fn text_is_decoded_once_and_white_space_is_one_space() {
    let texts = [
        ("&quot;a&quot; &amp; &lt;b&gt; &apos;", "\"a\" & <b> '"),
        ("&amp;lt; &amp;quot;", "&lt; &quot;"),
        ("&#39;&#x27;&#228;&#0;&#xd800;&#;&#x;", "''ä&#0;&#xd800;&#;&#x;"),
        ("a &nbsp; b & c &", "a &nbsp; b & c &"),
        ("a&#10;b\t\u{b} c\r\n", "a b c"),
        ("no\u{a0}break", "no\u{a0}break"),
        ("3 < 4 <b>x</b> <skipped>y", "3 < 4 <b>x</b> y"),
        ("&#+65;", "&#+65;"),
    ];
    for (raw, expected) in texts {
        assert_eq!(segment_text(raw), expected, "{raw}");
    }
}

#[test]
fn mistakes_are_errors_with_file_and_line() {
    let set = |inside: &str| error(&format!("<refset setid=\"s\">\n{inside}\n</refset>"));
    let document = |inside: &str| set(&format!("<doc docid=\"d\" sysid=\"r\">\n{inside}\n</doc>"));
    assert_eq!(
        error("<refset>\n<doc docid=d>\n<seg id=1>a</seg>\n</doc>\n"),
        "t.sgm:1: no </refset> in the rest of the file: is it cut off?"
    );
    assert_eq!(error("<refset></refset>"), "t.sgm has no documents");
    assert_eq!(set("<seg id=1>a</seg>"), "t.sgm:2: a segment outside of any document");
    assert_eq!(set("<doc sysid=x>"), "t.sgm:2: a document without docid");
    assert_eq!(set("</doc>"), "t.sgm:2: </doc> without <doc> before it");
    assert_eq!(set("<doc docid=d>"), "t.sgm:3: expected </doc> for document `d` of line 2 first");
    assert_eq!(document("<doc docid=e>"), "t.sgm:3: a document starts before `d` of line 2 ends");
    assert_eq!(document("<seg id=1>a\n<seg id=2>b</seg>"), "t.sgm:3: segment `1` has no end: expected </seg>");
    assert_eq!(document("<seg id=1>a"), "t.sgm:3: segment `1` has no end: expected </seg>");
    assert_eq!(document("<seg id=1>a</seg>\n<seg id=1>b</seg>"), "t.sgm:4: segment `1` of document `d` is there twice");
    assert_eq!(document("</doc><doc docid=d sysid=r>"), "t.sgm:3: document `d` of `r` is there twice");
    assert_eq!(set("<tstset>"), "t.sgm:2: expected </refset> for the one of line 1 first");
    assert_eq!(error("<doc docid=d>"), "t.sgm:1: a document outside of srcset, refset, tstset or dataset");
    assert_eq!(error("</refset>"), "t.sgm:1: </refset> without <refset> before it");
}

#[test]
fn segments_are_matched_by_their_names() {
    let reference = read(REFERENCE);
    let order = SegmentOrder::new(reference.texts(SgmlKind::Reference).unwrap()[0]);
    assert_eq!((order.len(), order.is_empty()), (3, false));
    let other = |text: &str| {
        let text = format!("<tstset setid=\"s\" sysid=\"A\">\n{text}\n</tstset>");
        let file = SgmlFile::parse(&lines("a.sgm", &text)).unwrap();
        let read = order.lines_of(file.texts(SgmlKind::Translation).unwrap()[0]);
        read.map(|lines| lines.iter().map(str::to_owned).collect::<Vec<_>>()).map_err(|error| error.to_string())
    };
    let first = "<doc docid=\"d1\"><seg id=\"2\">two</seg><seg id=\"1\">one</seg></doc>";
    let second = "<doc docid=\"d2\"><seg id=\"1\">three</seg></doc>";
    assert_eq!(other(&format!("{second}\n{first}")).unwrap(), ["one", "two", "three"]);
    assert_eq!(
        other(first).unwrap_err(),
        "t.sgm:10: segment `1` of document `d2` is missing in the text of `A` in a.sgm"
    );
    assert_eq!(
        other("<doc docid=\"d1\"><seg id=\"9\">x</seg></doc>").unwrap_err(),
        "a.sgm:2: t.sgm has no segment `9` of document `d1`"
    );
}

#[test]
fn other_text_is_not_taken_for_sgml() {
    for text in ["", "a <refset>", "<html><body>", "<p>x</p>\n<refset>", "</refset>", "< refset", "<refset", "\u{feff}"]
    {
        assert!(!is_sgml(&lines("t.txt", text)), "{text:?}");
    }
    assert!(is_sgml(&lines("t.txt", "\n <RefSet setid=x>\n")));
}
