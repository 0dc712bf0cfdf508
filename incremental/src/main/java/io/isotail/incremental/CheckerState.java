package io.isotail.incremental;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.StateException;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateSink;
import io.isotail.incremental.snapshot.StateSource;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.IdentityWriter;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A checker's whole state as a snapshot: the configuration, then each stage in turn. */
final class CheckerState {
  /** What is saved by the places of its constants; the snapshot says which those are. */
  private static final List<Class<? extends Enum<?>>> PACKED =
      List.of(
          OperationKind.class,
          VersionKind.class,
          EdgeKind.class,
          Transaction.State.class,
          IsolationLevel.class,
          UndecidedReason.class);

  private CheckerState() {}

  /** Writes what was noted of a checker. */
  static void write(CheckerConfig config, GraphWriter noted, StateSink sink) {
    StateWriter out = new StateWriter(sink);
    out.section("configuration");
    Map<String, String> settings = config.settings();
    out.count(settings.size());
    settings.forEach(
        (name, value) -> {
          out.text(name);
          out.text(value);
        });
    out.section("constants");
    PACKED.forEach(type -> out.text(constants(type)));
    IdentityWriter.write(noted, out);
    out.end();
  }

  /** Restores into a checker that has taken no record yet. */
  static Checker restore(Checker checker, StateSource source) {
    StateReader in = new StateReader(source);
    in.section("configuration");
    requireSame(checker.config().settings(), in);
    requireSameConstants(in);
    try {
      checker.load(new GraphReader(in));
    } catch (IndexOutOfBoundsException | IllegalStateException | NegativeArraySizeException e) {
      // The checksums are right, so another version of the program wrote this.
      throw in.damaged(e);
    }
    in.end();
    return checker;
  }

  private static void requireSame(Map<String, String> settings, StateReader in) {
    List<String> differences = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      String name = in.requiredText();
      String saved = in.requiredText();
      String present = settings.get(name);
      if (!saved.equals(present)) {
        differences.add("%s=%s in the snapshot, %s now".formatted(name, saved, present));
      }
    }
    if (!differences.isEmpty()) {
      throw new StateException(
          "snapshot was saved under another configuration: "
              + String.join("; ", differences)
              + "; restore under the old one, or begin without the snapshot");
    }
  }

  private static void requireSameConstants(StateReader in) {
    in.section("constants");
    for (Class<? extends Enum<?>> type : PACKED) {
      String saved = in.requiredText();
      String present = constants(type);
      if (!saved.equals(present)) {
        throw new StateException(
            "snapshot was saved with %s %s; this version has %s"
                .formatted(type.getSimpleName(), saved, present));
      }
    }
  }

  private static String constants(Class<? extends Enum<?>> type) {
    List<String> names = new ArrayList<>();
    for (Enum<?> constant : type.getEnumConstants()) {
      names.add(constant.name());
    }
    return String.join(", ", names);
  }
}
