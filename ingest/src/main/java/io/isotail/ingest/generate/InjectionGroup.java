package io.isotail.ingest.generate;

import java.util.ArrayList;
import java.util.List;

/** An anomaly on its way into a history, one transaction at a time. */
final class InjectionGroup {
  private final AnomalyPattern pattern;
  private final long number;
  private final long firstKey;
  private final SessionBook[] sessions;
  private final List<Injection.Member> members = new ArrayList<>();

  /**
   * Of a pattern.
   *
   * @param firstKey from where on the keys are nobody else's
   * @param sessions one for each session of the pattern
   */
  InjectionGroup(AnomalyPattern pattern, long number, long firstKey, SessionBook[] sessions) {
    this.pattern = pattern;
    this.number = number;
    this.firstKey = firstKey;
    this.sessions = sessions;
  }

  AnomalyPattern pattern() {
    return pattern;
  }

  AnomalyPattern.Part nextPart() {
    return pattern.parts().get(members.size());
  }

  /** The session that runs the next transaction. */
  SessionBook nextSession() {
    return sessions[nextPart().session()];
  }

  long firstKey() {
    return firstKey;
  }

  /** The next transaction was emitted under that number. */
  void emitted(long transaction) {
    members.add(new Injection.Member(nextSession().id(), transaction));
  }

  boolean complete() {
    return members.size() == pattern.parts().size();
  }

  Injection injection() {
    List<Long> keys = new ArrayList<>();
    for (int key = 0; key < pattern.keys(); key++) {
      keys.add(firstKey + key);
    }
    return new Injection(pattern.kind(), number, members, keys);
  }
}
