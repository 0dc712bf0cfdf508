package io.isotail.monitor.explore.sql;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What has a value at a place of a transaction or session: {@code :name}. */
final class Locals {
  /**
   * A local, or a parameter.
   *
   * @param target its name in the compiled program
   * @param mayBeNull whether no value may be there
   */
  record Local(String target, Type type, boolean mayBeNull) {
    Local orNull() {
      return new Local(target, type, true);
    }
  }

  private final Names names;

  /** Parameters of the program, which nothing assigns. */
  private final Map<String, Local> parameters;

  private final Map<String, Local> assigned = new LinkedHashMap<>();

  Locals(Names names, Map<String, Local> parameters) {
    this.names = names;
    this.parameters = parameters;
  }

  /** A copy, which goes on for itself. */
  Locals copy() {
    Locals copy = new Locals(names, parameters);
    copy.assigned.putAll(assigned);
    return copy;
  }

  /** What a name means. */
  Local get(SqlToken name) {
    Local local = assigned.getOrDefault(name.text(), parameters.get(name.text()));
    if (local == null) {
      Set<String> known = new TreeSet<>(parameters.keySet());
      known.addAll(assigned.keySet());
      throw name.error(
          "':%s' has no value here; expected one of %s, or SELECT … INTO :%s or SET before it"
              .formatted(name.text(), known, name.text()));
    }
    return local;
  }

  /** A local gets a value; returns its name in the compiled program. */
  String assign(SqlToken name, Type type, boolean mayBeNull) {
    if (parameters.containsKey(name.text())) {
      throw name.error(
          "':" + name.text() + "' is a parameter of the program, which keeps its value");
    }
    Local before = assigned.get(name.text());
    if (before != null && before.type() != type) {
      throw name.error(
          "':%s' is %s; expected a value of that type, found %s"
              .formatted(name.text(), before.type(), type));
    }
    String target = names.local(name.text());
    assigned.put(name.text(), new Local(target, type, mayBeNull));
    return target;
  }

  /** A name of the compiled program that is no local of the text. */
  String hidden(String like) {
    return names.hidden(like);
  }

  /** Takes over what another scope has, such as a transaction of this session. */
  void takeOver(Locals other) {
    assigned.putAll(other.assigned);
  }

  /**
   * Goes on behind a transaction that may have ended earlier.
   *
   * @param aborted what has a value there
   * @return the names in the compiled program of locals that are left without a value then
   */
  Set<String> orAbortedAt(Locals aborted) {
    Set<String> open = new TreeSet<>();
    for (Map.Entry<String, Local> one : assigned.entrySet()) {
      Local then = aborted.assigned.get(one.getKey());
      if (then == null) {
        open.add(one.getValue().target());
      }
      if (then == null || then.mayBeNull()) {
        one.setValue(one.getValue().orNull());
      }
    }
    return open;
  }

  /**
   * Goes on behind a choice.
   *
   * @param at where the choice stands
   * @param one what holds at the end of one branch; null if that is never reached
   * @param other of the other branch, likewise
   * @return the names in the compiled program of locals that one branch leaves without a value
   */
  Set<String> join(SqlToken at, @Nullable Locals one, @Nullable Locals other) {
    Set<String> open = new TreeSet<>();
    if (one == null || other == null) {
      Locals only = one == null ? other : one;
      if (only != null) {
        assigned.clear();
        assigned.putAll(only.assigned);
      }
      return open;
    }
    Set<String> all = new TreeSet<>(one.assigned.keySet());
    all.addAll(other.assigned.keySet());
    for (String name : all) {
      Local left = one.assigned.get(name);
      Local right = other.assigned.get(name);
      if (left != null && right != null) {
        if (left.type() != right.type()) {
          throw at.error(
              "':%s' is %s in one branch, and %s in the other; expected one type"
                  .formatted(name, left.type(), right.type()));
        }
        assigned.put(name, left.mayBeNull() ? left : right);
      } else {
        Local only = left != null ? left : right;
        if (only != null) {
          open.add(only.target());
          assigned.put(name, only.orNull());
        }
      }
    }
    return open;
  }
}
