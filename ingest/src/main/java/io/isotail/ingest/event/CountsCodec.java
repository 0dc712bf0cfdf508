package io.isotail.ingest.event;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.ingest.event.proto.NotCapturedKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the counts of a heartbeat into their wire form and back. */
final class CountsCodec {
  private CountsCodec() {}

  static io.isotail.ingest.event.proto.CaptureCounts encode(CaptureCounts counts) {
    var message =
        io.isotail.ingest.event.proto.CaptureCounts.newBuilder()
            .setService(counts.service())
            .setCaptured(counts.captured());
    for (NotCaptured one : counts.notCaptured()) {
      message
          .addNotCapturedBuilder()
          .setFingerprint(one.fingerprint())
          .setKind(
              switch (one.kind()) {
                case UNREAD -> NotCapturedKind.NOT_CAPTURED_KIND_UNREAD;
                case OPAQUE -> NotCapturedKind.NOT_CAPTURED_KIND_OPAQUE;
                case OUTSIDE -> NotCapturedKind.NOT_CAPTURED_KIND_OUTSIDE;
                case PARTLY -> NotCapturedKind.NOT_CAPTURED_KIND_PARTLY;
                case REFUSED -> NotCapturedKind.NOT_CAPTURED_KIND_REFUSED;
              })
          .setReason(one.reason())
          .setStatements(one.statements())
          .setReads(one.reads());
    }
    return message.build();
  }

  static CaptureCounts decode(io.isotail.ingest.event.proto.CaptureCounts message)
      throws BadRecordException {
    requireCount("captured", message.getCaptured());
    List<NotCaptured> notCaptured = new ArrayList<>(message.getNotCapturedCount());
    for (var one : message.getNotCapturedList()) {
      requireCount("statements", one.getStatements());
      requireCount("reads", one.getReads());
      NotCaptured.Kind kind = kind(one.getKind());
      if (kind != null) {
        notCaptured.add(
            new NotCaptured(
                one.getFingerprint(), kind, one.getReason(), one.getStatements(), one.getReads()));
      }
    }
    return new CaptureCounts(message.getService(), message.getCaptured(), notCaptured);
  }

  private static NotCaptured.@Nullable Kind kind(NotCapturedKind kind) {
    return switch (kind) {
      case NOT_CAPTURED_KIND_UNREAD -> NotCaptured.Kind.UNREAD;
      case NOT_CAPTURED_KIND_OPAQUE -> NotCaptured.Kind.OPAQUE;
      case NOT_CAPTURED_KIND_OUTSIDE -> NotCaptured.Kind.OUTSIDE;
      case NOT_CAPTURED_KIND_PARTLY -> NotCaptured.Kind.PARTLY;
      case NOT_CAPTURED_KIND_REFUSED -> NotCaptured.Kind.REFUSED;
      case NOT_CAPTURED_KIND_UNSPECIFIED, UNRECOGNIZED -> null;
    };
  }

  private static void requireCount(String name, long value) throws BadRecordException {
    if (value < 0) {
      throw new BadRecordException(
          "heartbeat that counts %s=%d; expected at least 0".formatted(name, value));
    }
  }
}
