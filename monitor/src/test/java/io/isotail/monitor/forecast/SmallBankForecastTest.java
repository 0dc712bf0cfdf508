package io.isotail.monitor.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.terminal.Paint;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The transactions of SmallBank, each run once and for customers of its own, against what was
 * published of them: at snapshot isolation one structure is dangerous, Balance, WriteCheck and
 * TransactSavings ([1] Figure 1).
 *
 * <p>[1] Alomari, Cahill, Fekete, Röhm: The Cost of Serializability on Platforms That Use Snapshot
 * Isolation, ICDE 2008.
 */
class SmallBankForecastTest {
  private static final String SAVINGS = "SELECT bal FROM savings WHERE custid = ?";
  private static final String CHECKING = "SELECT bal FROM checking WHERE custid = ?";
  private static final String CHANGE_SAVINGS = "UPDATE savings SET bal = bal - ? WHERE custid = ?";
  private static final String CHANGE_CHECKING =
      "UPDATE checking SET bal = bal + ? WHERE custid = ?";
  private static final String ACCOUNT = "SELECT * FROM accounts WHERE name = ?";

  private static Ran[] transactions(String level) {
    return new Ran[] {
      Ran.at(level, "Balance")
          .read(ACCOUNT, "accounts 1")
          .read(SAVINGS, "savings 1")
          .read(CHECKING, "checking 1"),
      Ran.at(level, "DepositChecking")
          .read(ACCOUNT, "accounts 2")
          .write(CHANGE_CHECKING, "checking 2"),
      Ran.at(level, "TransactSavings")
          .read(ACCOUNT, "accounts 3")
          .read(SAVINGS, "savings 3")
          .write(CHANGE_SAVINGS, "savings 3"),
      Ran.at(level, "Amalgamate")
          .read(ACCOUNT, "accounts 4")
          .read(SAVINGS, "savings 4")
          .read(CHECKING, "checking 5")
          .write("UPDATE checking SET bal = ? WHERE custid = ?", "checking 4")
          .write(CHANGE_SAVINGS, "savings 4")
          .write(CHANGE_CHECKING, "checking 5"),
      Ran.at(level, "WriteCheck")
          .read(ACCOUNT, "accounts 6")
          .read(SAVINGS, "savings 6")
          .read(CHECKING, "checking 6")
          .write(CHANGE_CHECKING, "checking 6"),
    };
  }

  private static Foreseen foreseen(String level) {
    return Foreseen.of(Ran.templates(transactions(level)), IsolationLevel.SERIALIZABLE);
  }

  @Test
  void atSnapshotIsolationThePublishedStructureIsFound() {
    Foreseen foreseen = foreseen("postgresql:repeatable-read");
    System.out.println(ForecastText.of(foreseen, Paint.PLAIN));
    assertThat(Found.in(foreseen))
        .containsExactly(List.of("Balance", "TransactSavings", "WriteCheck"));
  }

  @Test
  void serializableTransactionsAreForecastNothing() {
    assertThat(foreseen("postgresql:serializable").forecasts()).isEmpty();
  }

  @Test
  void atReadCommittedEachReadBeforeAWriteIsFound() {
    Foreseen foreseen = foreseen("postgresql:read-committed");
    System.out.println(ForecastText.of(foreseen, Paint.PLAIN));
    assertThat(Found.in(foreseen)).contains(List.of("WriteCheck", "WriteCheck"));
  }
}
