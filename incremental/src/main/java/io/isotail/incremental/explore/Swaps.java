package io.isotail.incremental.explore;

import static io.isotail.incremental.explore.Frame.bit;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which events are re-ordered when a transaction has committed, so that earlier reads can read from
 * it ([1] Sections 5.2 and 5.3).
 */
final class Swaps {
  private final Extension extension;

  /** Swaps of one exploration. */
  Swaps(Extension extension) {
    this.extension = extension;
  }

  /**
   * Tells each history in which a read of {@code frame} reads from its last transaction, which has
   * just ended ([1] Algorithm 2).
   *
   * <p>[1] Optimality asks that each deleted read, and the one that is swapped, read the latest.
   * The deleted ones are those after the swapped read that do not happen before the writer. So this
   * goes backwards, and the first read that fails ends it for all earlier ones.
   *
   * <p>Differs from [1], which also asks that none of them was swapped before. A read that was does
   * not read the latest: what it reads from stood after its transaction, so that it does not happen
   * before it without that read. The formula for "swapped" in [1] takes in others too, and misses
   * histories ({@code ExplorationTest} has such a program).
   */
  void after(Frame frame, Consumer<Frame> swapped) {
    int writer = frame.last();
    if (writer == 0 || !frame.step(writer).writesAnything()) {
      return;
    }
    Step written = frame.step(writer);
    int causal = frame.past[writer] | bit(writer);
    for (int i = frame.size - 2; i > 0; i--) {
      int reader = frame.order[i];
      if ((causal & bit(reader)) != 0) {
        continue;
      }
      int[] variables = frame.step(reader).reads;
      for (int read = variables.length - 1; read >= 0; read--) {
        if (!readsLatest(frame, reader, read, causal)) {
          return;
        }
        if (written.writes(variables[read])) {
          @Nullable Frame result = extension.restricted(frame, reader, read, writer, causal);
          if (result != null) {
            swapped.accept(result);
          }
        }
      }
    }
  }

  /**
   * [1] readLatest: the read reads from the latest transaction of those that happen before its
   * transaction without it, and from which the level lets it read.
   */
  private boolean readsLatest(Frame frame, int reader, int read, int causal) {
    byte[] sources = frame.sources[reader];
    int writer = sources[read];
    int past = extension.sessionPast(frame, reader);
    for (int i = 0; i < read; i++) {
      past |= frame.past[sources[i]] | bit(sources[i]);
    }
    if ((past & bit(writer)) == 0) {
      return false;
    }
    int variable = frame.step(reader).reads[read];
    for (int rest = past & ~bit(writer); rest != 0; rest &= rest - 1) {
      int other = Integer.numberOfTrailingZeros(rest);
      boolean later = frame.place[other] > frame.place[writer] && frame.writes(other, variable);
      if (later && extension.restricted(frame, reader, read, other, causal) != null) {
        return false;
      }
    }
    return true;
  }
}
