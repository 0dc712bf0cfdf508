package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.OperationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Says in plain English what the links between transactions of a capsule rest on. */
final class LinkText {
  private static final double NS_PER_MS = 1e6;

  /** Links that a sentence tells one by one; of more it tells the first ones. */
  private static final int MOST_LINKS = 16;

  private static final int FIRST_LINKS = 6;

  private final CapsuleFacts facts;

  LinkText(CapsuleFacts facts) {
    this.facts = facts;
  }

  /** The name of the transaction at a place. */
  String name(int place) {
    return place == Link.INITIAL ? "initial" : facts.transaction(place).name();
  }

  /** Whose version it was. */
  String source(int place) {
    return place == Link.INITIAL ? "the initial state" : name(place);
  }

  /** {@code key=version} that was read. */
  String read(Link link) {
    return facts.text.assignment(facts.operations(link.reader()), link.read());
  }

  /** {@code key=version} that was written. */
  String written(Link link) {
    return facts.text.assignment(facts.operations(link.writer()), link.write());
  }

  /** What happened, as a clause of its own. */
  String clause(Link link) {
    return switch (link.kind()) {
      case WR -> "%s read %s from %s".formatted(name(link.to()), read(link), name(link.from()));
      case RW ->
          link.assumed()
              ? "%s read %s".formatted(name(link.from()), notLater(link))
              : "%s read %s, which %s overwrote"
                  .formatted(name(link.from()), read(link), name(link.to()));
      case WW -> overwriting(link);
      case CO ->
          "%s read %s from %s although it had observed %s, which writes %s too"
              .formatted(
                  name(link.reader()), read(link), source(link.to()), name(link.from()), key(link));
      case RT -> "%s had ended %s".formatted(name(link.from()), beforeBegin(link));
      case SO ->
          "%s ran before %s in session %s"
              .formatted(name(link.from()), name(link.to()), session(link));
    };
  }

  /** What was read and what was not, of two versions whose order nobody saw. */
  String notLater(Link link) {
    return "%s and not %s of %s".formatted(read(link), written(link), name(link.to()));
  }

  /** What the overwriter of what was read did. */
  String overwritten(Link link) {
    return link.assumed()
        ? "wrote %s, most likely later".formatted(written(link))
        : "had overwritten it with " + written(link);
  }

  private String overwriting(Link link) {
    if (link.assumed()) {
      return "%s wrote %s, most likely after %s of %s"
          .formatted(name(link.to()), written(link), earlierVersion(link), name(link.from()));
    }
    String text =
        "%s overwrote %s of %s".formatted(name(link.to()), earlierVersion(link), name(link.from()));
    if (link.reader() == Link.NONE) {
      return text;
    }
    return isReplacing(link)
        ? "%s (the database said what %s replaced)".formatted(text, name(link.reader()))
        : "%s (%s read a list of %s that shows it)".formatted(text, name(link.reader()), key(link));
  }

  /** Whether the order is shown by what a write replaced, and by no list. */
  private boolean isReplacing(Link link) {
    return facts.replacing(link.reader(), link.key()) >= 0;
  }

  /** What lists show that fit no order of the versions. */
  String contradiction(List<Link> links) {
    List<String> shown = new ArrayList<>();
    for (Link link : links) {
      shown.add(
          link.kind() == EdgeKind.SO
              ? clause(link)
              : isReplacing(link)
                  ? clause(link)
                  : "%s read a list of %s that puts %s of %s before %s of %s"
                      .formatted(
                          name(link.reader()),
                          key(link),
                          earlierVersion(link),
                          name(link.from()),
                          written(link),
                          name(link.to())));
    }
    boolean byLists = links.stream().anyMatch(link -> link.hasKey() && !isReplacing(link));
    return byLists
        ? "Lists fit no order of the versions: " + String.join(", and ", shown)
        : "What was overwritten fits no order of the versions: " + String.join(", and ", shown);
  }

  /** The version that a ww overwrote. */
  String earlierVersion(Link link) {
    return facts.text.assignment(
        facts.operations(link.from()), facts.write(link.from(), link.key()));
  }

  /** How long before the begin of the later transaction the first one had ended. */
  private String beforeBegin(Link link) {
    CapsuleTransaction first = facts.transaction(link.from());
    CapsuleTransaction later = facts.transaction(link.to());
    double apartMs = ((double) later.times().beginNs() - first.times().endNs()) / NS_PER_MS;
    String text = String.format(Locale.ROOT, "%.3f ms before %s began", apartMs, later.name());
    return isOneClock(link)
        ? text
        : "%s, by clocks %s and %s".formatted(text, first.times().clock(), later.times().clock());
  }

  private boolean isOneClock(Link link) {
    return Objects.equals(
        facts.transaction(link.from()).times().clock(),
        facts.transaction(link.to()).times().clock());
  }

  private String session(Link link) {
    return facts.transaction(link.to()).session().name();
  }

  /** The links one after the other, as clauses; of very many the first ones. */
  String clauses(List<Link> links) {
    StringBuilder text = new StringBuilder();
    int told = told(links).size();
    for (int i = 0; i < told; i++) {
      text.append(i == 0 ? "" : i == links.size() - 1 ? ", and " : ", ");
      text.append(clause(links.get(i)));
    }
    return text.append(more(links, ", and ")).toString();
  }

  /** The links that a sentence tells one by one; the published cycle has them all. */
  static List<Link> told(List<Link> links) {
    return links.size() > MOST_LINKS ? links.subList(0, FIRST_LINKS) : links;
  }

  /** How many links are not told one by one; empty if there are none. */
  static String more(List<Link> links, String separator) {
    int more = links.size() - told(links).size();
    return more == 0 ? "" : "%s%,d more".formatted(separator, more);
  }

  /** What happened, where both ends of the link have been named. */
  String reason(Link link) {
    if (link.kind() != EdgeKind.SO) {
      return clause(link);
    }
    return link.from() == Link.INITIAL
        ? "the initial version comes before every other"
        : "they ran in this order in session " + session(link);
  }

  /** The links by their kinds and keys alone; several of session order in a row are one. */
  String arrows(List<Link> links) {
    StringBuilder words = new StringBuilder(name(links.get(0).from()));
    int told = told(links).size();
    for (int i = 0; i < told; i++) {
      Link link = links.get(i);
      boolean goesOn =
          link.kind() == EdgeKind.SO
              && i + 1 < links.size()
              && links.get(i + 1).kind() == EdgeKind.SO;
      if (!goesOn) {
        words.append(" -").append(link.kind().label());
        words.append(link.hasKey() ? " " + nameOfKey(link.to(), link.key()) : "");
        words.append("-> ").append(name(link.to()));
      }
    }
    return words.append(more(links, " and ")).toString();
  }

  /** The link as an edge of the published cycle, up to {@code causal}. */
  CycleEdge weakEdge(Link link) {
    return edge(link, reason(link));
  }

  /** The link as an edge of the published cycle, from {@code prefix} on. */
  CycleEdge strongEdge(Link link) {
    boolean byOneClock = link.kind() == EdgeKind.RT && isOneClock(link);
    return edge(link, byOneClock ? clause(link) + ", by the same clock" : clause(link));
  }

  private CycleEdge edge(Link link, String because) {
    return new CycleEdge(
        name(link.from()), name(link.to()), link.kind(), link.hasKey() ? key(link) : null, because);
  }

  /** The key of a link as the operation names it that shows the link best. */
  private String key(Link link) {
    return switch (link.kind()) {
      case CO -> nameOfKey(link.from(), link.key());
      case WW -> OperationText.key(facts.operations(link.to()), link.write());
      default -> OperationText.key(facts.operations(link.reader()), link.read());
    };
  }

  private String nameOfKey(int place, long key) {
    return OperationText.nameOf(facts.operations(place), key);
  }
}
