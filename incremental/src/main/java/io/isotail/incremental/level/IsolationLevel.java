package io.isotail.incremental.level;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The isolation levels, weakest first: each implies the ones before it. */
public enum IsolationLevel {
  READ_COMMITTED("read-committed"),
  READ_ATOMIC("read-atomic"),
  CAUSAL("causal"),
  PREFIX("prefix"),
  SNAPSHOT_ISOLATION("snapshot-isolation"),
  SERIALIZABLE("serializable"),
  STRICT_SERIALIZABLE("strict-serializable");

  private final String label;

  IsolationLevel(String label) {
    this.label = label;
  }

  /** The level's name in every interface. */
  public String label() {
    return label;
  }

  /** Whether this level implies {@code other}. */
  public boolean atLeast(IsolationLevel other) {
    return compareTo(other) >= 0;
  }

  /** The next stronger level; the strongest has none. */
  public IsolationLevel nextStronger() {
    return values()[ordinal() + 1];
  }

  /** The weaker one of this level and {@code other}. */
  public IsolationLevel weakerOf(IsolationLevel other) {
    return compareTo(other) < 0 ? this : other;
  }

  /**
   * The level of that name.
   *
   * @throws IllegalArgumentException naming the levels that exist
   */
  public static IsolationLevel ofLabel(String label) {
    for (IsolationLevel level : values()) {
      if (level.label.equals(label)) {
        return level;
      }
    }
    throw new IllegalArgumentException(
        "isolation level '%s' is unknown; expected one of %s"
            .formatted(
                label,
                Arrays.stream(values())
                    .map(IsolationLevel::label)
                    .collect(Collectors.joining(", "))));
  }

  @Override
  public String toString() {
    return label;
  }
}
