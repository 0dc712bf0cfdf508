package io.isotail.monitor.bank;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A bank in a process of its own, to be killed. It opens its connections, says {@link #READY}, and
 * begins at the first line of its standard input; it ends with that input, so that it never
 * outlives the process that started it.
 */
final class BankMain {
  static final String READY = "bank: ready";
  private static final int TALK_MS = 100;

  private BankMain() {}

  /** Arguments: URL, number of tellers, levels, seed, first transfer. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException, InterruptedException {
    Bank bank = new Bank(args[0], Integer.parseInt(args[1]));
    System.out.println(READY);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    if (in.readLine() != null) {
      Thread talker = new Thread(() -> talk(bank), "talker");
      talker.setDaemon(true);
      talker.start();
      bank.open(BankPlan.Levels.valueOf(args[2]), Long.parseLong(args[3]), Long.parseLong(args[4]));
      while (in.readLine() != null) {
        // Only the end matters.
      }
    }
    bank.close();
  }

  @SuppressWarnings("SystemOut")
  private static void talk(Bank bank) {
    try {
      while (true) {
        Thread.sleep(TALK_MS);
        System.out.println(bank.counts().line());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
