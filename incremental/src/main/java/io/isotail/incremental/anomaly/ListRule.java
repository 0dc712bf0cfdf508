package io.isotail.incremental.anomaly;

import static io.isotail.incremental.anomaly.AnomalyKind.ABORTED_READ;
import static io.isotail.incremental.anomaly.AnomalyKind.DUPLICATE_ELEMENT;
import static io.isotail.incremental.anomaly.AnomalyKind.FUTURE_READ;
import static io.isotail.incremental.anomaly.AnomalyKind.INCOMPATIBLE_ORDER;
import static io.isotail.incremental.anomaly.AnomalyKind.INTERMEDIATE_READ;
import static io.isotail.incremental.anomaly.AnomalyKind.INTERNAL_READ;
import static io.isotail.incremental.anomaly.AnomalyKind.NOT_MY_LAST_WRITE;
import static io.isotail.incremental.anomaly.AnomalyKind.NOT_MY_OWN_WRITE;
import static io.isotail.incremental.anomaly.AnomalyKind.THIN_AIR_READ;

import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What holds of a list that is only appended to, and the weakest level that is violated where it
 * does not. The module's README has the same table, and a test holds the two together.
 */
public enum ListRule {
  WRITTEN("each element was appended", THIN_AIR_READ, null, "none"),
  COMMITTED("by a transaction that committed", ABORTED_READ, "G1a", "G1a"),
  BEFORE("before the reader read it", FUTURE_READ, null, "internal"),
  COPIES(
      "an element is there as often as it may be", DUPLICATE_ELEMENT, null, "duplicate-elements"),
  WHOLE(
      "the appends of one transaction stand together, all of them, in program order",
      INTERMEDIATE_READ,
      "G1b",
      "G1b"),
  OWN("the reader's own appends come last, in program order", NOT_MY_OWN_WRITE, null, "internal"),
  STILL_THERE(
      "before them is something of others, if the reader had seen any",
      INTERNAL_READ,
      null,
      "internal"),
  ORDER(
      IsolationLevel.READ_ATOMIC,
      "lists show two elements in one order, which session order does not contradict",
      INCOMPATIBLE_ORDER,
      null,
      "incompatible-order"),
  NEIGHBOURS(
      IsolationLevel.PREFIX,
      "nothing stands between two neighbours, or before the first element",
      INCOMPATIBLE_ORDER,
      null,
      "incompatible-order");

  private final IsolationLevel level;
  private final String says;
  private final AnomalyKind kind;
  private final @Nullable String adya;
  private final String elle;

  ListRule(String says, AnomalyKind kind, @Nullable String adya, String elle) {
    this(IsolationLevel.READ_COMMITTED, says, kind, adya, elle);
  }

  ListRule(
      IsolationLevel level, String says, AnomalyKind kind, @Nullable String adya, String elle) {
    this.level = level;
    this.says = says;
    this.kind = kind;
    this.adya = adya;
    this.elle = elle;
  }

  /** The weakest level that asks for it. */
  public IsolationLevel level() {
    return level;
  }

  /** The rule in English. */
  public String says() {
    return says;
  }

  /** What its breach is called; of own appends it depends on whether the last one is an own one. */
  public List<AnomalyKind> kinds() {
    return this == OWN ? List.of(NOT_MY_LAST_WRITE, kind) : List.of(kind);
  }

  /** Adya's label of its breach, or null; it never lowers the level. */
  public @Nullable String adya() {
    return adya;
  }

  /** Elle's name for its breach. */
  public String elle() {
    return elle;
  }
}
