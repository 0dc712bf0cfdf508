package io.isotail.monitor.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.terminal.Paint;
import org.junit.jupiter.api.Test;

/**
 * The transactions of TPC-C, each in a district of its own, against what was published of them: at
 * snapshot isolation no execution of them is other than serializable ([1] Section 5). Delivery is
 * two of them: one finds an order and one finds none.
 *
 * <p>[1] Fekete, Liarokapis, O'Neil, O'Neil, Shasha: Making Snapshot Isolation Serializable, ACM
 * TODS 30(2), 2005.
 */
class TpccForecastTest {
  private static final String CUSTOMER =
      "SELECT c_balance, c_ytd_payment, c_payment_cnt FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";

  private static Ran[] transactions(String level) {
    return new Ran[] {
      newOrder(level, 1),
      newOrder(level, 2),
      payment(level, 2),
      payment(level, 7),
      orderStatus(level),
      delivery(level),
      idleDelivery(level),
      stockLevel(level)
    };
  }

  /** In a district of its own, and from the stock that all share. */
  private static Ran newOrder(String level, int district) {
    String at = "1-" + district;
    return Ran.at(level, "NewOrder")
        .read(
            "SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            "customer %s-1".formatted(at))
        .read("SELECT w_tax FROM warehouse WHERE w_id = ?", "warehouse 1")
        .read(
            "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ?",
            "district " + at)
        .write(
            "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?",
            "district " + at)
        .write(
            "INSERT INTO oorder (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt) VALUES (?, ?, ?, ?, ?, ?)",
            "oorder %s-30".formatted(at))
        .write(
            "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)",
            "new_order %s-30".formatted(at))
        .read("SELECT i_price, i_name, i_data FROM item WHERE i_id = ?", "item 5")
        .read(
            "SELECT s_quantity, s_data, s_dist_01 FROM stock WHERE s_i_id = ? AND s_w_id = ?",
            "stock 5-1")
        .write(
            "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1 WHERE s_i_id = ? AND s_w_id = ?",
            "stock 5-1")
        .write(
            "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_quantity, ol_amount) VALUES (?, ?, ?, ?, ?, ?, ?)",
            "order_line %s-30-1".formatted(at));
  }

  /** Into a warehouse, of a customer that may be of another one. */
  private static Ran payment(String level, int warehouse) {
    String at = warehouse + "-1";
    return Ran.at(level, "Payment")
        .write("UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?", "warehouse " + warehouse)
        .read(
            "SELECT w_street_1, w_city, w_name FROM warehouse WHERE w_id = ?",
            "warehouse " + warehouse)
        .write(
            "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?", "district " + at)
        .read(
            "SELECT d_street_1, d_city, d_name FROM district WHERE d_w_id = ? AND d_id = ?",
            "district " + at)
        .read(CUSTOMER, "customer 2-1-1")
        .write(
            "UPDATE customer SET c_balance = ?, c_ytd_payment = ?, c_payment_cnt = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            "customer 2-1-1");
  }

  private static Ran orderStatus(String level) {
    return Ran.at(level, "OrderStatus")
        .read(
            "SELECT c_balance, c_first, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            "customer 3-1-1")
        .read(
            "SELECT o_id, o_carrier_id, o_entry_d FROM oorder WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ORDER BY o_id DESC LIMIT 1",
            "oorder 3-1-7")
        .read(
            "SELECT ol_i_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?",
            "order_line 3-1-7-1",
            "order_line 3-1-7-2");
  }

  private static Ran delivery(String level) {
    return Ran.at(level, "Delivery")
        .read(
            "SELECT no_o_id FROM new_order WHERE no_d_id = ? AND no_w_id = ? ORDER BY no_o_id LIMIT 1",
            "new_order 4-1-8")
        .delete(
            "DELETE FROM new_order WHERE no_o_id = ? AND no_d_id = ? AND no_w_id = ?",
            "new_order 4-1-8")
        .read(
            "SELECT o_c_id FROM oorder WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?",
            "oorder 4-1-8")
        .write(
            "UPDATE oorder SET o_carrier_id = ? WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?",
            "oorder 4-1-8")
        .write(
            "UPDATE order_line SET ol_delivery_d = ? WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?",
            "order_line 4-1-8-1",
            "order_line 4-1-8-2")
        .read(
            "SELECT sum(ol_amount) AS total FROM order_line WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?",
            "order_line 4-1-8-1",
            "order_line 4-1-8-2")
        .write(
            "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            "customer 4-1-1");
  }

  private static Ran idleDelivery(String level) {
    return Ran.at(level, "IdleDelivery")
        .read(
            "SELECT no_o_id FROM new_order WHERE no_d_id = ? AND no_w_id = ? ORDER BY no_o_id LIMIT 1");
  }

  private static Ran stockLevel(String level) {
    return Ran.at(level, "StockLevel")
        .read("SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?", "district 6-1")
        .read(
            "SELECT count(DISTINCT s_i_id) FROM order_line, stock WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? AND ol_o_id >= ? AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?",
            "order_line 6-1-3-1",
            "stock 9-6");
  }

  private static Foreseen foreseen(String level) {
    return Foreseen.of(Ran.templates(transactions(level)), IsolationLevel.SERIALIZABLE);
  }

  @Test
  void atSnapshotIsolationNothingIsForecastAsWasProved() {
    Foreseen foreseen = foreseen("postgresql:repeatable-read");
    System.out.println(ForecastText.of(foreseen, Paint.PLAIN));
    assertThat(Found.in(foreseen)).isEmpty();
  }

  @Test
  void atReadCommittedTheBalanceAndTheStockGetLost() {
    Foreseen foreseen = foreseen("postgresql:read-committed");
    System.out.println(ForecastText.of(foreseen, Paint.PLAIN));
    assertThat(foreseen.forecasts())
        .extracting(forecast -> ForecastWords.title(forecast) + ", " + Found.who(forecast))
        .contains(
            "An update gets lost: customer, [Payment, Payment]",
            "A write overwrites one that it has not seen: stock, [NewOrder, NewOrder]");
  }
}
