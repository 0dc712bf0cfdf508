package io.isotail.monitor.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.monitor.SampleAnomalies;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The drawing as an XML document: what is in it, and where. */
final class SvgTest {
  @Test
  void eachSessionHasALaneAndEachTransactionABox() throws Exception {
    Document drawing = parsed(Svg.of(SampleAnomalies.causality("a")));

    assertThat(withClass(drawing, "rect", "lane")).hasSize(3);
    assertThat(withClass(drawing, "rect", "box")).hasSize(3);
    assertThat(withClass(drawing, "rect", "central")).as("in the cycle").hasSize(2);
    assertThat(texts(drawing))
        .contains("An effect was seen without its cause", "s2/7", "checkout", "r x=4", "w y=5")
        .contains("1 wr x", "2 co x", "wr y", "s2/7 read x=4, which s1/12 wrote");
  }

  @Test
  void theCyclesEdgesAreStrongAndTheOthersDashed() throws Exception {
    Document drawing = parsed(Svg.of(SampleAnomalies.causality("a")));

    assertThat(withClass(drawing, "path", "edge")).hasSize(2);
    assertThat(withClass(drawing, "path", "context")).hasSize(2);
    assertThat(withClass(drawing, "polygon", "rw")).isEmpty();
    assertThat(withClass(drawing, "polygon", "co")).hasSize(1);
  }

  @Test
  void boxesDoNotOverlapAndNothingLeavesTheSheet() throws Exception {
    Document drawing = parsed(Svg.of(SampleAnomalies.causality("a")));

    int bottom = 0;
    for (Element box : withClass(drawing, "rect", "box")) {
      assertThat(number(box, "y")).isGreaterThan(bottom);
      bottom = number(box, "y") + number(box, "height");
    }
    int width = number(drawing.getDocumentElement(), "width");
    int height = number(drawing.getDocumentElement(), "height");
    for (Element text : all(drawing, "text")) {
      assertThat(number(text, "x") + SvgText.width(text.getTextContent()))
          .as(text.getTextContent())
          .isLessThanOrEqualTo(width);
      assertThat(number(text, "y")).isLessThanOrEqualTo(height);
    }
  }

  @Test
  void namesAreTextAndNoMarkup() throws Exception {
    Document drawing = parsed(Svg.of(SampleAnomalies.hostileThinAirRead("a")));

    assertThat(all(drawing, "img")).isEmpty();
    assertThat(all(drawing, "script")).isEmpty();
    assertThat(String.join("\n", texts(drawing))).contains("</script><img src=x onerror=alert(1)>");
    assertThat(Markup.escaped("a\u0000\ud800\uffff\u202eb<")).isEqualTo("a \uFFFD\uFFFD b&lt;");
  }

  @Test
  void itIsReadableInLightAndInDark() {
    assertThat(Svg.of(SampleAnomalies.lostUpdate("a", "h")))
        .contains("@media (prefers-color-scheme: dark)")
        .contains(".sheet { fill: #ffffff; }")
        .contains(".sheet { fill: #0d1117; }")
        .doesNotContain("href");
  }

  @Test
  void aTransactionThatIsNotInTheCapsuleHasABoxWithItsName() throws Exception {
    Anomaly whole = SampleAnomalies.lostUpdate("a", "h");
    Document drawing = parsed(Svg.of(with(whole, List.of())));

    assertThat(withClass(drawing, "rect", "box")).hasSize(2);
    assertThat(texts(drawing)).contains("s1/3", "s2/9", "1 ww balance");
  }

  @Test
  void aLargeCapsuleIsDrawnWithoutMostOfWhatLeadsUpToTheCycle() throws Exception {
    Anomaly whole = SampleAnomalies.lostUpdate("a", "h");
    List<CapsuleTransaction> many = new ArrayList<>(whole.capsule());
    CapsuleTransaction first = whole.capsule().get(0);
    IntStream.range(0, 100)
        .mapToObj(
            i ->
                new CapsuleTransaction(
                    "s1/" + (100 + i),
                    first.session(),
                    1 + i,
                    100 + i,
                    first.outcome(),
                    null,
                    1,
                    first.times(),
                    first.operations()))
        .forEach(many::add);
    Document drawing = parsed(Svg.of(with(whole, many)));

    assertThat(withClass(drawing, "rect", "box")).hasSize(102);
    assertThat(withClass(drawing, "path", "context")).hasSize(40);
    assertThat(String.join("\n", texts(drawing)))
        .contains("60 more edges that lead up to it are not drawn");
  }

  @Test
  void onAPhoneTheTransactionsStandInOneColumn() throws Exception {
    for (Anomaly anomaly :
        List.of(
            SampleAnomalies.causality("a"),
            SampleAnomalies.lostUpdate("a", "h"),
            SampleAnomalies.manyTransactions("m", "h", 7))) {
      Document drawing = parsed(Svg.cycle(anomaly, 340));

      assertThat(number(drawing.getDocumentElement(), "width")).isLessThanOrEqualTo(340);
      for (Element text : all(drawing, "text")) {
        assertThat(number(text, "x") + SvgText.width(text.getTextContent()))
            .as(text.getTextContent())
            .isLessThanOrEqualTo(340);
      }
      assertThat(withClass(drawing, "rect", "box"))
          .hasSizeGreaterThanOrEqualTo(anomaly.capsule().size());
      assertThat(Svg.cycle(anomaly, 10_000)).isEqualTo(Svg.cycle(anomaly, 5_000));
    }
    assertThat(texts(parsed(Svg.cycle(SampleAnomalies.causality("a"), 340))))
        .contains("1 wr", "2 co");
  }

  @Test
  void edgesBetweenOtherTransactionsShareATrack() throws Exception {
    Anomaly six = SampleAnomalies.manyTransactions("m", "h", 6);
    List<String> names = six.capsule().stream().map(CapsuleTransaction::name).toList();
    List<CycleEdge> circle =
        IntStream.range(0, 6)
            .mapToObj(
                i -> new CycleEdge(names.get(i), names.get((i + 1) % 6), EdgeKind.RW, "k", "so"))
            .toList();
    Document drawing = parsed(Svg.cycle(with(six, circle, six.capsule()), 340));
    assertThat(withClass(drawing, "path", "edge")).hasSize(6);
    assertThat(
            withClass(drawing, "path", "edge").stream()
                .map(path -> path.getAttribute("d").replaceAll(".*? H(\\d+) .*", "$1"))
                .distinct())
        .hasSize(3);
    assertThat(number(drawing.getDocumentElement(), "width")).isLessThanOrEqualTo(340);
  }

  @Test
  void textsAreWrappedAtSpacesAndLongWordsAnywhere() {
    assertThat(SvgText.wrapped("one two three four five six", 20))
        .containsExactly("one two three four", "five six");
    assertThat(SvgText.wrapped("x".repeat(45), 20)).hasSize(3);
    assertThat(String.join("", SvgText.wrapped("\ud83d\ude00".repeat(30), 20)))
        .isEqualTo("\ud83d\ude00".repeat(30));
  }

  private static Anomaly with(Anomaly a, List<CapsuleTransaction> capsule) {
    return with(a, a.cycle(), capsule);
  }

  private static Anomaly with(Anomaly a, List<CycleEdge> cycle, List<CapsuleTransaction> capsule) {
    return new Anomaly(
        a.id(),
        a.history(),
        a.cause(),
        a.level(),
        a.kind(),
        a.adya(),
        a.explanation(),
        cycle,
        capsule,
        null,
        null,
        a.table(),
        a.service(),
        a.offset(),
        a.commitTimeNs());
  }

  private static Document parsed(String svg) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    factory.setNamespaceAware(true);
    Document drawing =
        factory
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(drawing.getDocumentElement().getNamespaceURI())
        .isEqualTo("http://www.w3.org/2000/svg");
    return drawing;
  }

  private static List<Element> all(Document drawing, String name) {
    NodeList found = drawing.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  private static List<Element> withClass(Document drawing, String name, String style) {
    return all(drawing, name).stream()
        .filter(e -> Arrays.asList(e.getAttribute("class").split(" ")).contains(style))
        .toList();
  }

  private static List<String> texts(Document drawing) {
    return all(drawing, "text").stream().map(Element::getTextContent).toList();
  }

  private static int number(Element element, String attribute) {
    return Integer.parseInt(element.getAttribute(attribute));
  }
}
