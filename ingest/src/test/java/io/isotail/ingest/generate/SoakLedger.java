package io.isotail.ingest.generate;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Compares what was put in with what is found. Put in by one thread, found by another. */
final class SoakLedger implements AnomalyListener {
  private static final int MAX_MISTAKES = 20;

  private final Map<Injection.Member, Injection> byMember = new ConcurrentHashMap<>();
  private final Map<Long, Injection> missing = new ConcurrentHashMap<>();
  private final List<AnomalyKind> kinds;
  private final AtomicLong expected = new AtomicLong();
  private final Map<AnomalyKind, Long> found = new EnumMap<>(AnomalyKind.class);
  private final List<String> mistakes = new ArrayList<>();

  /** Expects anomalies of these kinds. */
  SoakLedger(List<AnomalyKind> kinds) {
    this.kinds = kinds;
  }

  /** An anomaly was put in. */
  void injected(Injection injection) {
    if (kinds.contains(injection.kind())) {
      expected.incrementAndGet();
      missing.put(injection.group(), injection);
    }
    for (Injection.Member member : injection.transactions()) {
      byMember.put(member, injection);
    }
  }

  @Override
  public void found(Anomaly anomaly) {
    Injection injection = injectionOf(anomaly);
    if (injection == null || injection.kind() != anomaly.kind()) {
      mistake("not put in: " + anomaly);
    } else if (missing.remove(injection.group()) == null) {
      mistake("found twice, or allowed: " + anomaly);
    } else {
      found.merge(anomaly.kind(), 1L, Long::sum);
    }
  }

  @Override
  public void repeated(String id, long occurrences) {
    mistake("observed %d times: %s".formatted(occurrences, id));
  }

  long expected() {
    return expected.get();
  }

  long found() {
    return found.values().stream().mapToLong(Long::longValue).sum();
  }

  Map<AnomalyKind, Long> foundByKind() {
    return found;
  }

  /** What was put in and not found; to be asked for at the end. */
  List<Injection> missing() {
    return List.copyOf(missing.values());
  }

  /** The first things found that were not put in. */
  List<String> mistakes() {
    return mistakes;
  }

  /** The one that all transactions of the capsule belong to, or null. */
  private Injection injectionOf(Anomaly anomaly) {
    Injection injection = null;
    for (CapsuleTransaction t : anomaly.capsule()) {
      Injection each = byMember.get(new Injection.Member(t.session().id(), t.transaction()));
      if (each == null || (injection != null && injection != each)) {
        return null;
      }
      injection = each;
    }
    return injection;
  }

  private void mistake(String text) {
    if (mistakes.size() < MAX_MISTAKES) {
      mistakes.add(text);
    }
  }
}
