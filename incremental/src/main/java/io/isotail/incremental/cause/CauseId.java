package io.isotail.incremental.cause;

import io.isotail.incremental.anomaly.AnomalyKind;
import it.unimi.dsi.fastutil.HashCommon;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deterministic ids of causes and incidents: a 64-bit hash of what makes them, the same on any
 * machine.
 */
final class CauseId {
  private CauseId() {}

  static long of(String history, AnomalyKind kind, List<CausePart> parts) {
    long hash = mix(text(0, history), kind.code());
    for (CausePart part : parts) {
      hash = text(hash, part.table());
      hash = text(hash, part.fingerprint());
      hash = text(hash, part.service());
      hash = text(hash, part.endpoint());
    }
    return hash;
  }

  static long ofIncident(String history, Root root, Culprit canonical) {
    long hash = text(0, history);
    hash = text(hash, root.kind().label());
    hash = text(hash, root.promised().label());
    hash = mix(text(hash, root.ranAt()), root.others() ? 1 : 0);
    hash = text(hash, root.server());
    hash = text(hash, canonical.service());
    hash = text(hash, canonical.endpoint());
    return text(hash, canonical.table());
  }

  private static long text(long hash, @Nullable String text) {
    long mixed = mix(hash, text == null ? -1 : text.length());
    for (int i = 0; text != null && i < text.length(); i++) {
      mixed = mix(mixed, text.charAt(i));
    }
    return mixed;
  }

  private static long mix(long hash, long value) {
    return HashCommon.murmurHash3(hash * 31 + value + 0x9E3779B97F4A7C15L);
  }
}
