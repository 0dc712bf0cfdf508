package io.isotail.incremental.cause;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * What can be told of a left-out thing before anything is proven: enough to tell it from others,
 * and cheap. Things of one pattern have one cause, that of the last one that was proven.
 *
 * @param level whose order or graph left it out
 * @param shape what it looks like: the axiom that a read breaks, or the kinds of the edges
 * @param parts the statements at both ends of the thing, in order, each once
 */
public record Pattern(IsolationLevel level, String shape, List<CausePart> parts) {
  /** Parts that tell causes apart; further ones, in order, do not. */
  public static final int MAX_PARTS = 16;

  /** Copies the list. */
  public Pattern {
    parts = List.copyOf(parts);
  }

  /** Of parts in any order. */
  public static Pattern of(IsolationLevel level, String shape, Collection<CausePart> parts) {
    return new Pattern(level, shape, new TreeSet<>(parts).stream().limit(MAX_PARTS).toList());
  }

  void save(StateWriter out) {
    out.constant(level);
    out.text(shape);
    out.count(parts.size());
    parts.forEach(part -> part.save(out));
  }

  static Pattern load(StateReader in) {
    IsolationLevel level = in.constant(IsolationLevel.class);
    String shape = in.requiredText();
    List<CausePart> parts = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      parts.add(CausePart.load(in));
    }
    return new Pattern(level, shape, parts);
  }
}
