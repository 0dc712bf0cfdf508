package io.isotail.incremental;

import static io.isotail.incremental.level.IsolationLevel.CAUSAL;
import static io.isotail.incremental.level.IsolationLevel.PREFIX;
import static io.isotail.incremental.level.IsolationLevel.READ_ATOMIC;
import static io.isotail.incremental.level.IsolationLevel.READ_COMMITTED;
import static io.isotail.incremental.level.IsolationLevel.SERIALIZABLE;
import static io.isotail.incremental.level.IsolationLevel.SNAPSHOT_ISOLATION;
import static io.isotail.incremental.level.IsolationLevel.STRICT_SERIALIZABLE;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly as one server shows it, of which the truth is known: what ran, in which order. Where
 * no server does that, a history of one that does not work, or of something between it and the
 * application.
 *
 * @param kind its name
 * @param adya Adya's label, or null
 * @param violated the weakest level that forbids it
 * @param shows what the server shows readers, null where no server that works shows this
 * @param text a schedule of {@link OneServer}, else a history of {@link Dsl}
 * @param sentence how the first violation is told
 */
public record OneServerCase(
    AnomalyKind kind,
    @Nullable String adya,
    IsolationLevel violated,
    OneServer.@Nullable Shows shows,
    String text,
    String sentence) {

  /** Each name once, the weakest level first. */
  public static final List<OneServerCase> ALL =
      List.of(
          new OneServerCase(
              AnomalyKind.THIN_AIR_READ,
              null,
              READ_COMMITTED,
              null,
              "a: rx9",
              "a/1 read x=9, a version that nobody wrote."),
          new OneServerCase(
              AnomalyKind.ABORTED_READ,
              "G1a",
              READ_COMMITTED,
              OneServer.Shows.LATEST,
              "a.wx b.rx a! b.",
              "b/1 read x=1, which a/1 wrote and then aborted."),
          new OneServerCase(
              AnomalyKind.FUTURE_READ,
              null,
              READ_COMMITTED,
              null,
              "a: rx1 wx1",
              "a/1 read x=1 before it wrote that version itself."),
          new OneServerCase(
              AnomalyKind.NOT_MY_LAST_WRITE,
              null,
              READ_COMMITTED,
              null,
              "a: wx1 wx2 rx1",
              "a/1 read x=1 although it had itself overwritten that version: a/1 had written"
                  + " x=2."),
          new OneServerCase(
              AnomalyKind.NOT_MY_OWN_WRITE,
              null,
              READ_COMMITTED,
              null,
              "a: wx1 ; b: wx2 rx1",
              "b/1 read x=1 from a/1 although it had written the key itself: b/1 had written"
                  + " x=2."),
          new OneServerCase(
              AnomalyKind.INTERMEDIATE_READ,
              "G1b",
              READ_COMMITTED,
              OneServer.Shows.LATEST,
              "a.wx b.rx a.wx a. b.",
              "b/1 read x=1 from a/1, which had overwritten that version before it committed."),
          new OneServerCase(
              AnomalyKind.DUPLICATE_ELEMENT,
              null,
              READ_COMMITTED,
              null,
              "a: wx1 ; b: lx0.1.1",
              "b/1 read a list of x with 1 more often than that was appended."),
          new OneServerCase(
              AnomalyKind.INTERNAL_READ,
              null,
              READ_COMMITTED,
              null,
              "a: wx1 ; b: lx0.1 wx2 lx0.2",
              "b/1 read a list of x with nothing but its own appends, though it had read"
                  + " what a/1 appended."),
          new OneServerCase(
              AnomalyKind.CAUSALITY_CYCLE,
              "G1c",
              READ_COMMITTED,
              OneServer.Shows.LATEST,
              "b.wx a.rx a.wy b.ry a. b.",
              "Each of these happened before the next, in a circle: a/1 before b/1 (b/1 read"
                  + " y=1 from a/1), b/1 before a/1 (a/1 read x=1 from b/1)."),
          new OneServerCase(
              AnomalyKind.NON_MONOTONIC_READ,
              "G-single",
              READ_COMMITTED,
              OneServer.Shows.LATEST,
              "b.rx b.wy c.ry c.rx b.wx b. c.",
              "c/1 read x=initial although b/1, from which it also read y=1, had overwritten"
                  + " it with x=1."),
          new OneServerCase(
              AnomalyKind.INCOMPATIBLE_ORDER,
              null,
              READ_ATOMIC,
              null,
              "a: wx1 ; b: wx2 ; c: lx0.1.2 ; d: lx0.2.1",
              "Lists fit no order of the versions: c/1 read a list of x that puts x=1 of a/1"
                  + " before x=2 of b/1, and d/1 read a list of x that puts x=2 of b/1 before x=1"
                  + " of a/1."),
          new OneServerCase(
              AnomalyKind.DIRTY_WRITE,
              "G0",
              READ_ATOMIC,
              null,
              "a: wx1 wy1 ; b: wx2 wy2 ; c: lx0.1.2 ; d: ly0.2.1",
              "Each comes before the next, in a circle: b/1 overwrote x=1 of a/1 (c/1 read a"
                  + " list of x that shows it), and a/1 overwrote y=2 of b/1 (d/1 read a list of y"
                  + " that shows it)."),
          new OneServerCase(
              AnomalyKind.SESSION_GUARANTEE_VIOLATION,
              "G-single-session",
              READ_ATOMIC,
              null,
              "a: wx1 ; b: rx1 wx2 ; b: rx1",
              "b/2 read x=1 from a/1 although b/1, earlier in the same session, had"
                  + " overwritten it with x=2."),
          new OneServerCase(
              AnomalyKind.NON_REPEATABLE_READS,
              "G-single",
              READ_ATOMIC,
              OneServer.Shows.COMMITTED,
              "a.wx a. c.rx b.rx b.wx b. c.rx c.",
              "c/1 read x twice and got two versions: first 1 from a/1, then 2 from b/1."),
          new OneServerCase(
              AnomalyKind.FRACTURED_READ,
              "G-single",
              READ_ATOMIC,
              OneServer.Shows.COMMITTED,
              "c.rx b.wx b.wy b. c.ry c.",
              "c/1 read x=initial although b/1, from which it also read y=1, had overwritten"
                  + " it with x=1."),
          new OneServerCase(
              AnomalyKind.CAUSALITY_VIOLATION,
              "G-single",
              CAUSAL,
              OneServer.Shows.COMMITTED,
              "d.rx b.wx b. c.rx c.wy c. d.ry d.",
              "d/1 read x=initial although b/1, which it had already observed through c/1,"
                  + " which read x=1, had overwritten it with x=1."),
          new OneServerCase(
              AnomalyKind.READ_SKEW,
              "G-single",
              PREFIX,
              OneServer.Shows.COMMITTED,
              "c.rx a.wx a.wz a. b.wz b.wy b. c.ry c. d.lz d.",
              "c/1 read x=initial although a/1 had overwritten it with x=1: b/1 overwrote"
                  + " z=1 of a/1 (d/1 read a list of z that shows it), and c/1 read y=1 from b/1."),
          new OneServerCase(
              AnomalyKind.LONG_FORK,
              "G-nonadjacent",
              PREFIX,
              OneServer.Shows.COMMITTED,
              "c.rx d.ry a.wx a. b.wy b. c.ry d.rx c. d.",
              "d/1 and c/1 saw two writes in opposite orders: d/1 read y=initial, which b/1"
                  + " overwrote, c/1 read y=1 from b/1, c/1 read x=initial, which a/1 overwrote,"
                  + " and d/1 read x=1 from a/1."),
          new OneServerCase(
              AnomalyKind.COMMIT_ORDER_CYCLE,
              "G-nonadjacent",
              PREFIX,
              OneServer.Shows.COMMITTED,
              "d.ry e.rz f.rx a.wx a. b.wy b. c.wz c. d.rx e.ry f.rz d. e. f.",
              "Each comes before the next, in a circle: d/1 read y=initial, which b/1"
                  + " overwrote, e/1 read y=1 from b/1, e/1 read z=initial, which c/1 overwrote,"
                  + " f/1 read z=1 from c/1, f/1 read x=initial, which a/1 overwrote, and d/1 read"
                  + " x=1 from a/1."),
          new OneServerCase(
              AnomalyKind.LOST_UPDATE,
              "G-single",
              SNAPSHOT_ISOLATION,
              OneServer.Shows.COMMITTED,
              "a.rx b.rx a.wx a. b.wx b.",
              "a/1 and b/1 both read x=initial and both overwrote it, so neither saw the"
                  + " other's update."),
          new OneServerCase(
              AnomalyKind.BLIND_LOST_UPDATE,
              "G-single",
              SNAPSHOT_ISOLATION,
              OneServer.Shows.COMMITTED,
              "a.rx b.wx b. a.wx a. c.lx c.",
              "a/1 overwrote x=1 of b/1 without having seen it: it had read x=initial, which"
                  + " b/1 overwrote."),
          new OneServerCase(
              AnomalyKind.WRITE_SKEW,
              "G2-item",
              SERIALIZABLE,
              OneServer.Shows.SNAPSHOT,
              "a.ry b.rx a.wx b.wy a. b.",
              "a/1 read y=initial, which b/1 overwrote, and b/1 read x=initial, which a/1"
                  + " overwrote: neither saw what the other wrote."),
          new OneServerCase(
              AnomalyKind.DANGEROUS_STRUCTURE,
              "G2-item",
              SERIALIZABLE,
              OneServer.Shows.SNAPSHOT,
              "a.rx b.ry c.rz a.wz b.wx c.wy a. b. c.",
              "Each comes before the next, in a circle: a/1 read x=initial, which b/1"
                  + " overwrote, b/1 read y=initial, which c/1 overwrote, and c/1 read z=initial,"
                  + " which a/1 overwrote."),
          new OneServerCase(
              AnomalyKind.READ_ONLY_ANOMALY,
              "G2-item",
              SERIALIZABLE,
              OneServer.Shows.SNAPSHOT,
              "a.rx a.ry b.ry b.wy b. c.rx c.ry c. a.wx a.",
              "No order of commits explains what c/1 saw, which only read: c/1 read"
                  + " x=initial, which a/1 overwrote, a/1 read y=initial, which b/1 overwrote, and"
                  + " c/1 read y=1 from b/1."),
          new OneServerCase(
              AnomalyKind.STALE_READ,
              "G-single-realtime",
              STRICT_SERIALIZABLE,
              OneServer.Shows.COMMITTED,
              "c.rx a.wx a. b.wy b. c.ry c.",
              "c/1 read x=initial although a/1 had overwritten it with x=1: a/1 had ended"
                  + " 1.000 ms before b/1 began, and c/1 read y=1 from b/1."));

  List<TransactionRecord> history() {
    return shows == null ? Dsl.history(text) : OneServer.run(shows, text);
  }

  /** What the checker tells of it. */
  public Anomaly told() {
    IsolationLevel held = violated.atLeast(SERIALIZABLE) ? violated : SERIALIZABLE;
    CheckerConfig config = CheckerConfig.forFile("one-server", held).withPromise(held);
    List<Anomaly> anomalies = CheckRun.of(config, history()).anomalies;
    if (anomalies.size() != 1) {
      throw new AssertionError(anomalies);
    }
    return anomalies.get(0);
  }
}
