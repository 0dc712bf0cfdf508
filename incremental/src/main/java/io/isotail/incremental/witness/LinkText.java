package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.record.Operations;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Says in plain English what the dependencies between transactions of a capsule rest on. */
final class LinkText {
  private static final double NS_PER_MS = 1e6;

  private final CapsuleGraph graph;

  LinkText(CapsuleGraph graph) {
    this.graph = graph;
  }

  /** The name of the transaction at a place. */
  String name(int place) {
    return graph.transaction(place).name();
  }

  /** {@code key=version} that the reader of a wr or rw read. */
  String read(Link link) {
    int reader = link.kind() == EdgeKind.WR ? link.to() : link.from();
    return OperationText.assignment(graph.operations(reader), link.read());
  }

  /** {@code key=version} that the later transaction of a ww or rw wrote. */
  String written(Link link) {
    return OperationText.assignment(graph.operations(link.to()), link.write());
  }

  /** What happened, as a clause of its own. */
  String clause(Link link) {
    return switch (link.kind()) {
      case WR -> "%s read %s from %s".formatted(name(link.to()), read(link), name(link.from()));
      case RW ->
          "%s read %s, which %s overwrote"
              .formatted(name(link.from()), read(link), name(link.to()));
      case WW -> overwriting(link);
      case RT -> "%s had ended %s".formatted(name(link.from()), beforeBegin(link));
      default ->
          "%s ran before %s in session %s"
              .formatted(
                  name(link.from()),
                  name(link.to()),
                  graph.transaction(link.to()).session().name());
    };
  }

  private String overwriting(Link link) {
    String text =
        "%s overwrote %s of %s".formatted(name(link.to()), earlierVersion(link), name(link.from()));
    String key = OperationText.key(graph.operations(link.to()), link.write());
    return link.source() == Link.NOBODY
        ? text
        : "%s (%s read a list of %s that shows it)".formatted(text, name(link.source()), key);
  }

  /** The version that a ww overwrote. */
  String earlierVersion(Link link) {
    Operations ops = graph.operations(link.from());
    return OperationText.assignment(ops, graph.write(link.from(), link.key()));
  }

  /** How long before the begin of the later transaction the first one had ended. */
  String beforeBegin(Link link) {
    CapsuleTransaction first = graph.transaction(link.from());
    CapsuleTransaction later = graph.transaction(link.to());
    double apartMs = ((double) later.times().beginNs() - first.times().endNs()) / NS_PER_MS;
    String text = String.format(Locale.ROOT, "%.3f ms before %s began", apartMs, later.name());
    String clock = first.times().clock();
    return Objects.equals(clock, later.times().clock())
        ? text
        : "%s, by clocks %s and %s".formatted(text, clock, later.times().clock());
  }

  /** The dependencies one after the other, as clauses. */
  String clauses(List<Link> links) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < links.size(); i++) {
      text.append(i == 0 ? "" : i == links.size() - 1 ? ", and " : ", ");
      text.append(clause(links.get(i)));
    }
    return text.toString();
  }

  /** The dependency as an edge of the published cycle. */
  CycleEdge edge(Link link) {
    int keyOf = link.kind() == EdgeKind.RW ? link.from() : link.to();
    int operation = link.kind() == EdgeKind.WW ? link.write() : link.read();
    return new CycleEdge(
        name(link.from()),
        name(link.to()),
        link.kind(),
        link.hasKey() ? OperationText.key(graph.operations(keyOf), operation) : null,
        link.kind() == EdgeKind.RT ? clause(link) + sameClock(link) : clause(link));
  }

  private String sameClock(Link link) {
    String clock = graph.transaction(link.from()).times().clock();
    boolean same = Objects.equals(clock, graph.transaction(link.to()).times().clock());
    return same ? ", by the same clock" : "";
  }
}
