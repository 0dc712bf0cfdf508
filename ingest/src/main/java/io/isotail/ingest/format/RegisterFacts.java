package io.isotail.ingest.format;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often each value of each register was written. Every register is nil at first, which counts
 * as a write of nil.
 *
 * <p>State: grows with the values that were written, not with reads.
 */
final class RegisterFacts {
  private static final int FAILED = 1;
  private static final int ONCE = 2;
  private static final int REPEATED = 4;

  private final Map<Value, Integer> writes = new HashMap<>();

  /** A value of a register; a null version is nil. */
  private record Value(long key, @Nullable Long version) {
    static Value of(EdnValue key, @Nullable EdnValue value) {
      return new Value(key.id(), value == null ? null : value.id());
    }
  }

  /**
   * Notes a write.
   *
   * @param failed whether it certainly did not take effect
   * @return whether a read of that value may now be of another write than before
   */
  boolean add(EdnValue key, @Nullable EdnValue value, boolean failed) {
    Value written = Value.of(key, value);
    int before = before(written);
    int after = before | (failed ? FAILED : (before & ONCE) != 0 ? REPEATED : ONCE);
    writes.put(written, after);
    return failed ? (before & ONCE) != 0 : before != 0;
  }

  /** Whether more than one write of it took effect, or may have. */
  boolean isRepeated(EdnValue key, @Nullable EdnValue value) {
    return (before(Value.of(key, value)) & REPEATED) != 0;
  }

  /** Whether a write of it took effect, or may have. */
  boolean isWritten(EdnValue key, @Nullable EdnValue value) {
    return (before(Value.of(key, value)) & ONCE) != 0;
  }

  private int before(Value value) {
    return writes.getOrDefault(value, value.version() == null ? ONCE : 0);
  }
}
