package io.isotail.monitor.publish;

import io.isotail.incremental.cause.CauseReport;
import io.isotail.monitor.render.CauseJson;
import io.isotail.monitor.render.IncidentJson;
import io.isotail.monitor.store.StoredAnomaly;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.store.StoredIncident;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * The form of a record of the anomalies topic, written and read: the key is the history's id, the
 * value the anomaly's document, and a header says of which version the document is.
 *
 * <p>Version 1 is an anomaly; records without the header are of it. Version 2 is a cause, as it
 * stands after what was checked. Version 3 is the number of its violations only, told more often.
 * Version 4 is an incident. Instances that know less skip the others. A version goes up when a
 * reader of the one before would show something wrong. New fields and new levels or anomalies leave
 * it as it is.
 */
public final class AnomalyRecord {
  /** Header with the version, a decimal number in ASCII. */
  static final String VERSION_HEADER = "isotail-version";

  /** Version of an anomaly. */
  private static final int ANOMALY = 1;

  /** Version of a cause. */
  private static final int CAUSE = 2;

  /** Version of the number of a cause's violations. */
  private static final int COUNT = 3;

  /** Version of an incident. */
  private static final int INCIDENT = 4;

  /** The greatest that is read. */
  static final int VERSION = INCIDENT;

  private AnomalyRecord() {}

  /** What a record of the topic says. */
  sealed interface Content {}

  /** An anomaly. */
  record Known(StoredAnomaly anomaly) implements Content {}

  /** A cause. */
  record KnownCause(StoredCause cause) implements Content {}

  /** An incident. */
  record KnownIncident(StoredIncident incident) implements Content {}

  /** How many violations a cause has brought about. */
  record KnownCount(CauseCount count) implements Content {}

  /** Nothing: an empty record stands where a transaction was ended anew. */
  record Nothing() implements Content {}

  /**
   * Nothing that this version of the program can use.
   *
   * @param cause why, in a word
   * @param detail both sides: what was found and what is known here
   * @param id its id, or null if it tells none
   */
  record Unusable(Cause cause, String detail, @Nullable String id) implements Content {}

  /** Why a record cannot be used. */
  enum Cause {
    /** A newer version of the program has written it, in a form of its own. */
    NEWER("newer"),

    /** Its level or anomaly has a name that is not known here, as a newer version may write. */
    UNKNOWN("unknown"),

    /** It is no anomaly. */
    MALFORMED("malformed");

    private final String label;

    Cause(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /** The record that publishes a finding. */
  public static ProducerRecord<byte[], byte[]> of(String topic, Finding finding) {
    return of(topic, finding.anomaly().history(), finding.document(), ANOMALY);
  }

  /** The record that publishes a cause or an incident. */
  public static ProducerRecord<byte[], byte[]> of(String topic, News news) {
    if (news instanceof PublishedIncident published) {
      String document = IncidentJson.of(published.incident(), published.lead()).toString();
      byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
      return of(topic, published.incident().history(), bytes, INCIDENT);
    }
    return ofCause(topic, (PublishedCause) news);
  }

  /** A cause as it stands, or only its number. */
  private static ProducerRecord<byte[], byte[]> ofCause(String topic, PublishedCause published) {
    CauseReport cause = published.cause();
    if (!published.whole()) {
      return of(topic, cause.history(), CauseCount.of(published).document(), COUNT);
    }
    String document = CauseJson.of(cause).put("fresh", published.fresh()).toString();
    return of(topic, cause.history(), document.getBytes(StandardCharsets.UTF_8), CAUSE);
  }

  private static ProducerRecord<byte[], byte[]> of(
      String topic, String history, byte[] document, int version) {
    byte[] header = Integer.toString(version).getBytes(StandardCharsets.US_ASCII);
    return new ProducerRecord<>(
        topic,
        null,
        history.getBytes(StandardCharsets.UTF_8),
        document,
        List.of(new RecordHeader(VERSION_HEADER, header)));
  }

  /** The id of the anomaly that a record tells of; null if it tells of none. */
  static @Nullable String anomalyId(ConsumerRecord<byte[], byte[]> record) {
    boolean is = record.value() != null && version(record).equals(Integer.toString(ANOMALY));
    return is ? StoredAnomaly.idOf(record.value()) : null;
  }

  /** The id of the cause that a record tells all of; null if it tells of none. */
  static @Nullable String causeId(ConsumerRecord<byte[], byte[]> record) {
    boolean is = record.value() != null && version(record).equals(Integer.toString(CAUSE));
    return is ? StoredCause.idOf(record.value()) : null;
  }

  /** The id of the incident that a record tells of; null if it tells of none. */
  static @Nullable String incidentId(ConsumerRecord<byte[], byte[]> record) {
    boolean is = record.value() != null && version(record).equals(Integer.toString(INCIDENT));
    return is ? StoredIncident.idOf(record.value()) : null;
  }

  private static String version(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(VERSION_HEADER);
    return header == null || header.value() == null
        ? Integer.toString(ANOMALY)
        : new String(header.value(), StandardCharsets.US_ASCII);
  }

  /** Reads a record, which anybody may have written. */
  static Content read(ConsumerRecord<byte[], byte[]> record) {
    String version = version(record);
    if (!version.matches("[1-9]\\d{0,8}")) {
      return unusable(record, Cause.MALFORMED, VERSION_HEADER + " is no number from 1");
    }
    int found = Integer.parseInt(version);
    if (found > VERSION) {
      return unusable(
          record,
          Cause.NEWER,
          "version %s; this instance reads up to %d: upgrade it".formatted(version, VERSION));
    }
    if (record.value() != null && record.value().length == 0) {
      return new Nothing();
    }
    if (record.value() == null) {
      return unusable(record, Cause.MALFORMED, "no value");
    }
    try {
      return switch (found) {
        case ANOMALY -> new Known(StoredAnomaly.of(record.value()));
        case CAUSE -> new KnownCause(StoredCause.of(record.value()));
        case INCIDENT -> new KnownIncident(StoredIncident.of(record.value()));
        default -> new KnownCount(CauseCount.of(record.value()));
      };
    } catch (StoredAnomaly.UnknownNameException e) {
      return unusable(record, Cause.UNKNOWN, e.getMessage() + " to this instance: upgrade it");
    } catch (IllegalArgumentException e) {
      return unusable(record, Cause.MALFORMED, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // Whatever the parser does not foresee: the record is read again at each start.
      return unusable(record, Cause.MALFORMED, "cannot be read: " + e);
    }
  }

  private static Unusable unusable(
      ConsumerRecord<byte[], byte[]> record, Cause cause, String detail) {
    String id = record.value() == null ? null : StoredAnomaly.idOf(record.value());
    return new Unusable(cause, detail, id);
  }
}
