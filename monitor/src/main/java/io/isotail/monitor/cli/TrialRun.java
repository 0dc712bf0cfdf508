package io.isotail.monitor.cli;

import io.isotail.ingest.sandbox.Sandbox;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.trial.Trial;
import io.isotail.monitor.trial.TrialException;
import io.isotail.monitor.trial.TrialHangsException;
import io.isotail.monitor.trial.TrialSummary;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs a trial to its end, whatever hangs inside. Ctrl-C ends it early. */
final class TrialRun {
  private static final long CLEAN_UP_SECONDS = 90;
  private static final long END_SECONDS = 20;

  private TrialRun() {}

  /** What is done with a summary; returns the exit status. */
  interface Telling {
    int tell(TrialSummary summary);
  }

  /** Says of a command that the image leaves out where to get it; whether that is so here. */
  static boolean isLeftOut(String command, PrintWriter err) {
    boolean leftOut = !Sandbox.isInstalled();
    if (leftOut) {
      err.printf(
          "isotail %s: it is not in the image, which leaves out the broker and the database that it"
              + " starts; run deploy/isotail %s in a checkout of https://github.com/isotail/isotail%n",
          command, command);
    }
    return leftOut;
  }

  /**
   * Runs it.
   *
   * @param command as in {@code isotail demo}, for messages
   */
  static int run(String command, Trial trial, PrintWriter out, PrintWriter err, Telling telling)
      throws InterruptedException {
    CountDownLatch finished = new CountDownLatch(1);
    Thread onInterrupt = new Thread(() -> stopAndWait(trial, finished), "isotail-trial-stop");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try {
      return telling.tell(trial.run());
    } catch (TrialHangsException e) {
      TrialSummary summary = e.summary();
      String rest =
          summary == null ? "it ends without a summary" : "what it made may have been left there";
      err.println(command + ": " + e.getMessage() + "; " + rest);
      int status = summary == null ? ExitCode.BAD : telling.tell(summary);
      endAnyway(status);
      return status;
    } catch (TrialException e) {
      err.println(command + ": " + e.getMessage());
      return ExitCode.BAD;
    } finally {
      out.flush();
      err.flush();
      finished.countDown();
    }
  }

  /** What hangs may also hang when the process ends in order. */
  private static void endAnyway(int status) {
    Thread end =
        new Thread(
            () -> {
              try {
                TimeUnit.SECONDS.sleep(END_SECONDS);
                Runtime.getRuntime().halt(status);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "isotail-trial-end");
    end.setDaemon(true);
    end.start();
  }

  /** Ends the trial as its duration would: with a summary, and nothing left behind. */
  private static void stopAndWait(Trial trial, CountDownLatch finished) {
    trial.stop();
    try {
      finished.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
