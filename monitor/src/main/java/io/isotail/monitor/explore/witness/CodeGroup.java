package io.isotail.monitor.explore.witness;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the code: the executions in a witness that come from it, which are raised
 * together. Executions are taken for those of one transaction if they have the same service, the
 * same endpoint and the same distinct statements in the same order. One of which not all statements
 * were recorded is alone.
 *
 * @param parts the executions: places in the program, from 0 on
 * @param service whose they are; null if not told
 * @param endpoint where in the service they begin; null if not told
 * @param statements what they run, without literals; empty if that was not recorded, and then there
 *     is one execution
 */
public record CodeGroup(
    List<Integer> parts,
    @Nullable String service,
    @Nullable String endpoint,
    List<String> statements) {
  /** Copies the lists. */
  public CodeGroup {
    parts = List.copyOf(parts);
    statements = List.copyOf(statements);
  }

  /** What executions of one transaction of the code have in common. */
  private record Code(
      @Nullable String service, @Nullable String endpoint, List<String> statements) {}

  /** Whether it is a transaction of the code, and not just one execution of an unknown one. */
  public boolean isCode() {
    return !statements.isEmpty();
  }

  /**
   * Whether this may be of the same transaction of the code as another group that has more
   * statements: a witness keeps only the operations that matter of each execution.
   */
  boolean mayBeCutFrom(CodeGroup longer) {
    return isCode()
        && statements.size() < longer.statements.size()
        && Objects.equals(service, longer.service)
        && Objects.equals(endpoint, longer.endpoint)
        && longer.hasInOrder(statements);
  }

  private boolean hasInOrder(List<String> some) {
    int found = 0;
    for (String statement : statements) {
      if (found < some.size() && some.get(found).equals(statement)) {
        found++;
      }
    }
    return found == some.size();
  }

  /** The groups of a program, in the order of their first executions. */
  static List<CodeGroup> of(List<WitnessProgram.Part> parts) {
    List<CodeGroup> groups = new ArrayList<>();
    Map<Code, Integer> known = new LinkedHashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      Code code = code(parts.get(i));
      Integer same = code.statements.isEmpty() ? null : known.putIfAbsent(code, groups.size());
      if (same == null) {
        groups.add(new CodeGroup(List.of(i), code.service, code.endpoint, code.statements));
      } else {
        groups.set(same, groups.get(same).with(i));
      }
    }
    return List.copyOf(groups);
  }

  private CodeGroup with(int part) {
    List<Integer> all = new ArrayList<>(parts);
    all.add(part);
    return new CodeGroup(all, service, endpoint, statements);
  }

  private static Code code(WitnessProgram.Part part) {
    SessionInfo session = part.of().session();
    Origin origin = part.of().origin();
    return new Code(
        session.service(),
        origin == null ? null : origin.endpoint(),
        statements(part.of().operations()));
  }

  /** Distinct statements in their order; empty if one is not known. */
  private static List<String> statements(Operations operations) {
    Set<String> distinct = new LinkedHashSet<>();
    for (int i = 0; i < operations.size(); i++) {
      distinct.add(operations.statement(i).fingerprint());
    }
    boolean known = !distinct.contains("") && !distinct.contains(Statement.NOT_SEEN);
    return known ? List.copyOf(distinct) : List.of();
  }
}
