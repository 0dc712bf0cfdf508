package io.isotail.incremental.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the code: executions with the same service, endpoint, level and statements.
 * Statements that are repeated, as in a loop, count once.
 *
 * <p>Bound: {@link Limits#EXECUTIONS} executions are kept, the first ones that do other things to
 * rows than those before.
 *
 * <p>One thread at a time adds executions; others may read meanwhile.
 */
public final class Template {
  /**
   * What makes two executions ones of the same code.
   *
   * @param statements distinct texts in the order in which they first ran
   */
  record Code(
      @Nullable String service,
      @Nullable String endpoint,
      @Nullable String ranAt,
      List<String> statements) {}

  private final Code code;
  private volatile List<Execution> kept = List.of();
  private volatile long count;

  Template(Code code) {
    this.code = code;
  }

  static Code codeOf(Execution execution) {
    return new Code(
        execution.service(),
        execution.endpoint(),
        execution.ranAt(),
        execution.steps().stream().map(s -> s.statement().fingerprint()).distinct().toList());
  }

  /** Returns whether the execution is kept. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time adds
  boolean add(Execution execution) {
    count++;
    boolean room = kept.size() < Limits.EXECUTIONS;
    if (!room || kept.stream().anyMatch(known -> touches(known).equals(touches(execution)))) {
      return false;
    }
    List<Execution> more = new ArrayList<>(kept);
    more.add(execution);
    kept = List.copyOf(more);
    return true;
  }

  /** What it did to which rows, but for those that each execution makes for itself. */
  private static Set<Touch> touches(Execution execution) {
    Set<Long> own = execution.ownRows();
    return execution.steps().stream()
        .flatMap(step -> step.touches().stream())
        .filter(touch -> !own.contains(touch.key()))
        .collect(Collectors.toSet());
  }

  /** How often it ran. */
  public long count() {
    return count;
  }

  /** Route, action or place in the code; null when not told. */
  public @Nullable String endpoint() {
    return code.endpoint();
  }

  /** Name of the application; null when not told. */
  public @Nullable String service() {
    return code.service();
  }

  /** The level that it ran at, as recorded; null when unknown. */
  public @Nullable String ranAt() {
    return code.ranAt();
  }

  /** Its statements, without literals. */
  public List<String> statements() {
    return code.statements();
  }

  /** Its endpoint, else its first statement. */
  public String name() {
    String endpoint = code.endpoint();
    return endpoint == null ? code.statements().get(0) : endpoint;
  }

  List<Execution> executions() {
    return kept;
  }
}
