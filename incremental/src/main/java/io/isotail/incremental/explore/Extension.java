package io.isotail.incremental.explore;

import static io.isotail.incremental.explore.Frame.bit;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How ordered histories grow ([1] Section 5.1): a transaction begins, or the one under way reads
 * from a writer that the level allows. What it writes between two reads comes with the first of
 * them, since nobody can read it before its end.
 */
final class Extension {
  private final SessionOrder sessions;
  private final Steps steps;
  private final WeakRule rule;

  Extension(SessionOrder sessions, Steps steps, WeakRule rule) {
    this.sessions = sessions;
    this.steps = steps;
    this.rule = rule;
  }

  /** What happens before a transaction whatever it reads. */
  int sessionPast(Frame frame, int transaction) {
    int past = sessions.before[transaction];
    for (int rest = past; rest != 0; rest &= rest - 1) {
      past |= frame.past[Integer.numberOfTrailingZeros(rest)];
    }
    return past;
  }

  /** A copy in which that transaction has begun as the last block. */
  Frame begin(Frame frame, int transaction) {
    int previous = sessions.previous[transaction];
    Step step =
        previous == 0
            ? steps.begin(sessions.session[transaction])
            : steps.next(frame.step(previous));
    Frame begun = new Frame(frame);
    begun.begin(transaction, step, sessionPast(frame, transaction));
    begun.untilBegin[transaction] = frame;
    return begun;
  }

  /** The writers from which the transaction under way may read its next variable; or more. */
  int candidates(Frame frame) {
    int reader = frame.last();
    int writers = frame.writers(frame.step(reader).nextRead) & ~bit(reader);
    return rule.candidates(frame, sessions.before[reader], writers);
  }

  /**
   * A copy in which the transaction under way has read its next variable from {@code writer}; null
   * if the level forbids it ([1] ValidWrites).
   */
  @Nullable Frame read(Frame frame, int writer) {
    Frame grown = new Frame(frame);
    return readHere(grown, writer) ? grown : null;
  }

  /**
   * Has the transaction under way read its next variable from {@code writer}, in the frame itself.
   *
   * @return false if the level forbids it; the frame is then of no use
   */
  boolean readHere(Frame frame, int writer) {
    int reader = frame.last();
    return addRead(frame, reader, frame.step(reader), writer);
  }

  /**
   * The history of the blocks before that of {@code reader}, those after it that are in {@code
   * causal}, and {@code reader} up to its read of that index, which reads from {@code writer}, as
   * the last block ([1] Swap). Null if the level forbids it.
   */
  @Nullable Frame restricted(Frame frame, int reader, int read, int writer, int causal) {
    int place = frame.place[reader];
    int known = place;
    while (known > 1 && frame.untilBegin[frame.order[known]] == null) {
      known--;
    }
    Frame until = frame.untilBegin[frame.order[known]];
    Frame kept = until == null ? new Frame(sessions.transactions) : new Frame(until);
    for (int i = until == null ? 1 : known; i < frame.size; i++) {
      int transaction = frame.order[i];
      boolean stays = i < place || (causal & bit(transaction)) != 0;
      if (transaction != reader && stays && !repeat(kept, frame, transaction)) {
        return null;
      }
    }
    kept.untilBegin[reader] = new Frame(kept);
    Step before = frame.step(reader).before(read);
    byte[] sources = Arrays.copyOf(frame.sources[reader], read);
    kept.begin(reader, before, sessionPast(kept, reader));
    return readAll(kept, reader, sources) && addRead(kept, reader, before, writer) ? kept : null;
  }

  /** A history that other levels allow, with what the rule demands; null if that is a cycle. */
  @Nullable Frame repeated(Frame other) {
    Frame frame = new Frame(sessions.transactions);
    for (int i = 1; i < other.size; i++) {
      if (!repeat(frame, other, other.order[i])) {
        return null;
      }
    }
    return frame;
  }

  /** The history of another exploration of the program, with the steps of this one. */
  Frame rebuilt(Frame other) {
    Frame frame = new Frame(sessions.transactions);
    for (int i = 1; i < other.size; i++) {
      int transaction = other.order[i];
      frame = begin(frame, transaction);
      for (byte source : other.sources[transaction]) {
        Frame grown = read(frame, source);
        if (grown == null) {
          throw new IllegalStateException("a history that the level forbids was shared");
        }
        frame = grown;
      }
    }
    return frame;
  }

  /** Adds a block of {@code other} as it stands there; false if the level forbids it. */
  private boolean repeat(Frame frame, Frame other, int transaction) {
    frame.begin(transaction, other.step(transaction), sessionPast(frame, transaction));
    return readAll(frame, transaction, other.sources[transaction]);
  }

  /** Lets a transaction read from its sources one after another. */
  private boolean readAll(Frame frame, int transaction, byte[] sources) {
    frame.sources[transaction] = sources;
    for (int read = 0; read < sources.length; read++) {
      if (!rule.addRead(frame, transaction, read, sessions.before[transaction])) {
        return false;
      }
    }
    return true;
  }

  private boolean addRead(Frame frame, int reader, Step before, int writer) {
    int value = steps.read(frame, before.nextRead, writer);
    byte[] sources = frame.sources[reader];
    byte[] grown = Arrays.copyOf(sources, sources.length + 1);
    grown[sources.length] = (byte) writer;
    frame.sources[reader] = grown;
    frame.steps[reader] = steps.resume(before, value);
    return rule.addRead(frame, reader, sources.length, sessions.before[reader]);
  }
}
