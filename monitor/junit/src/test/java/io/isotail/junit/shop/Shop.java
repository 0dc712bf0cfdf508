package io.isotail.junit.shop;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/**
 * The shop as a team writes it: each method is a transaction, and each has a mistake that no test
 * with one thread can find. {@link SafeShop} has the same without the mistakes.
 */
@Service
class Shop {
  private final JdbcTemplate jdbc;

  Shop(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** Orders are many, and the stock is written by what was read. */
  @Transactional
  public void order(int item, int count) {
    int left = number("SELECT left_over FROM stock WHERE item = ?", item);
    if (left < count) {
      throw new IllegalStateException("sold out");
    }
    jdbc.update("INSERT INTO orders (item, count) VALUES (?, ?)", item, count);
    jdbc.update("UPDATE stock SET left_over = ? WHERE item = ?", left - count, item);
  }

  /** A coupon is good for one order, and two may find it unused. */
  @Transactional
  public void redeem(String code, int order) {
    Boolean used =
        jdbc.queryForObject("SELECT used FROM coupons WHERE code = ?", Boolean.class, code);
    if (Boolean.TRUE.equals(used)) {
      throw new IllegalStateException("used before");
    }
    jdbc.update("UPDATE coupons SET used = true, used_by = ? WHERE code = ?", order, code);
  }

  /** One doctor is always on call: both may find the other one there. */
  @Transactional(isolation = Isolation.REPEATABLE_READ)
  public void goOffCall(String doctor) {
    int others = number("SELECT count(*) FROM rota WHERE on_call AND doctor <> ?", doctor);
    if (others == 0) {
      throw new IllegalStateException("nobody else is on call");
    }
    jdbc.update("UPDATE rota SET on_call = false WHERE doctor = ?", doctor);
  }

  /** Both accounts together stay above nothing, and each payment looks at both. */
  @Transactional(isolation = Isolation.REPEATABLE_READ)
  public void pay(int payer, String from, int amount) {
    int together =
        number("SELECT amount FROM accounts WHERE payer = ? AND kind = ?", payer, "giro")
            + number("SELECT amount FROM accounts WHERE payer = ? AND kind = ?", payer, "credit");
    if (together < amount) {
      throw new IllegalStateException("not enough");
    }
    jdbc.update(
        "UPDATE accounts SET amount = amount - ? WHERE payer = ? AND kind = ?",
        amount,
        payer,
        from);
  }

  /** What is shipped must not be cancelled. */
  @Transactional
  public void ship(int parcel) {
    requireNew(jdbc.queryForObject("SELECT state FROM parcels WHERE id = ?", String.class, parcel));
    jdbc.update("UPDATE parcels SET state = 'shipped', carrier = 'mail' WHERE id = ?", parcel);
  }

  /** The total is stored beside the lines that it is the sum of. */
  @Transactional
  public void changeLine(int basket, int line, int price) {
    jdbc.update(
        "UPDATE basket_lines SET price = ? WHERE basket = ? AND line = ?", price, basket, line);
    int total = number("SELECT sum(price) FROM basket_lines WHERE basket = ?", basket);
    jdbc.update("UPDATE baskets SET total = ? WHERE id = ?", total, basket);
  }

  private int number(String sql, Object... values) {
    Integer number = jdbc.queryForObject(sql, Integer.class, values);
    return number == null ? 0 : number;
  }

  private static void requireNew(String state) {
    if (!"new".equals(state)) {
      throw new IllegalStateException("is " + state);
    }
  }
}
