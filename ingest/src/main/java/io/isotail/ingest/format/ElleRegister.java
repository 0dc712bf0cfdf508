package io.isotail.ingest.format;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.VersionKind;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a register or a mutex, as Jepsen and Knossos write it: {@code :read}, {@code
 * :write}, {@code :cas}, {@code :acquire} or {@code :release}. A mutex is a register that is nil
 * when free: to acquire it is to set it from nil to {@code held}, to release it the way back.
 *
 * @param key that an independent tuple {@code [k v]} names; else one that stands for the only
 *     register or mutex of the file
 * @param independent whether a tuple named the key
 * @param read what it was found to hold, if {@code reads}; nil is the initial value
 * @param written what it was set to, if {@code writes}
 */
record ElleRegister(
    EdnValue key,
    boolean independent,
    boolean reads,
    @Nullable EdnValue read,
    boolean writes,
    @Nullable EdnValue written) {
  private static final String EXPECTED =
      ":read, :write, :cas, :acquire or :release of a register or a mutex, or a list of"
          + " micro-operations as :value; no other workload is read";
  private static final Set<String> MICRO_OPERATIONS = Set.of("r", "w", "append");
  private static final EdnValue HELD = named("held");

  /**
   * Whether an operation is no transaction: its {@code :f} is told and is not {@code :txn}, and its
   * value is no list of micro-operations.
   */
  static boolean isOne(String f, @Nullable Object value) {
    if (f.isEmpty() || f.equals("txn")) {
      return false;
    }
    return !(value instanceof List<?> list
        && !list.isEmpty()
        && list.get(0) instanceof List<?> first
        && !first.isEmpty()
        && MICRO_OPERATIONS.contains(ElleReader.word(first.get(0))));
  }

  /** What {@code :f} and {@code :value} say was asked for, or done. */
  static ElleRegister of(String f, @Nullable Object value)
      throws ElleTransaction.UnexpectedException {
    boolean mutex = f.equals("acquire") || f.equals("release");
    if (!mutex && !f.equals("read") && !f.equals("write") && !f.equals("cas")) {
      throw new ElleTransaction.UnexpectedException(
          "':%s' as :f with %s as :value".formatted(f, ElleTransaction.describe(value)), EXPECTED);
    }
    boolean independent =
        value instanceof List<?> pair
            && pair.size() == 2
            && (!f.equals("cas") || pair.get(1) instanceof List<?>);
    EdnValue key = named(mutex ? "mutex" : "register");
    Object argument = value;
    if (independent) {
      List<?> pair = (List<?>) Objects.requireNonNull(value);
      key = scalar(pair.get(0), f, "the key of an independent tuple");
      argument = pair.get(1);
      if (key == null) {
        throw new ElleTransaction.UnexpectedException(
            "nil as the key of an independent tuple", "a number, a string or a keyword");
      }
    }
    return switch (f) {
      case "read" ->
          new ElleRegister(key, independent, true, scalar(argument, f, "one value"), false, null);
      case "write" ->
          new ElleRegister(key, independent, false, null, true, scalar(argument, f, "one value"));
      case "acquire" -> new ElleRegister(key, independent, true, null, true, HELD);
      case "release" -> new ElleRegister(key, independent, true, HELD, true, null);
      default -> cas(key, independent, argument);
    };
  }

  private static ElleRegister cas(EdnValue key, boolean independent, @Nullable Object argument)
      throws ElleTransaction.UnexpectedException {
    if (!(argument instanceof List<?> both) || both.size() != 2) {
      throw new ElleTransaction.UnexpectedException(
          "%s as :value of :cas".formatted(ElleTransaction.describe(argument)),
          "[old new], or [key [old new]]");
    }
    return new ElleRegister(
        key,
        independent,
        true,
        scalar(both.get(0), "cas", "[old new]"),
        true,
        scalar(both.get(1), "cas", "[old new]"));
  }

  /** A value, null for nil. */
  private static @Nullable EdnValue scalar(@Nullable Object form, String f, String expected)
      throws ElleTransaction.UnexpectedException {
    EdnValue value = EdnValue.of(form);
    if (form != null && value == null) {
      throw new ElleTransaction.UnexpectedException(
          "%s in :value of :%s".formatted(ElleTransaction.describe(form), f),
          expected + " of a register: a number, a string, a keyword or nil");
    }
    return value;
  }

  /** Whether this may be what became of an invocation: the same, but for what a read returned. */
  boolean answers(ElleRegister asked) {
    return independent == asked.independent
        && key.equals(asked.key)
        && (writes ? equals(asked) : !asked.writes);
  }

  /**
   * Its reads and writes. What was read is known only if it committed; a cas that may have
   * committed found what it asked for if it did. Where a value was written twice, nobody can tell
   * which of the writes was read: then it is an unknown version.
   *
   * @param facts how often each value was written, as far as that is known
   */
  Operations operations(Outcome outcome, RegisterFacts facts) {
    Operations.Builder operations = new Operations.Builder();
    if (reads && (outcome == Outcome.COMMITTED || (writes && outcome == Outcome.UNKNOWN))) {
      add(operations, OperationKind.READ, read, facts);
    }
    if (writes && (outcome != Outcome.ABORTED || !facts.isWritten(key, written))) {
      add(operations, OperationKind.WRITE, written, facts);
    }
    return operations.build();
  }

  private void add(
      Operations.Builder operations,
      OperationKind kind,
      @Nullable EdnValue value,
      RegisterFacts facts) {
    boolean initial = value == null;
    if (facts.isRepeated(key, value) || (initial && kind == OperationKind.WRITE)) {
      operations.add(kind, key.id(), VersionKind.UNKNOWN, 0);
      operations.names(key.name(), null);
      return;
    }
    operations.add(
        kind,
        key.id(),
        value == null ? VersionKind.INITIAL : VersionKind.KNOWN,
        value == null ? 0 : value.id());
    operations.names(key.name(), value == null ? null : value.name());
  }

  private static EdnValue named(String name) {
    return Objects.requireNonNull(EdnValue.of(name));
  }

  /** A value that asks for the same as an invocation does, where the completion tells none. */
  static @Nullable Object completed(String f, @Nullable Object asked, @Nullable Object done) {
    boolean silent =
        done == null || (done instanceof List<?> pair && pair.size() == 2 && pair.get(1) == null);
    if (!silent || !f.equals("read")) {
      return silent ? asked : done;
    }
    return done == null && asked instanceof List<?> pair && pair.size() == 2
        ? Arrays.asList(pair.get(0), null)
        : done;
  }
}
