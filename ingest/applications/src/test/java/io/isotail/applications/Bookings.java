package io.isotail.applications;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

/** SQL through MyBatis. */
@Mapper
interface Bookings {

  /** A row of {@code booking}; MyBatis sets its key. */
  final class Booking {
    Long id;
    final long account;
    final long amount;

    Booking(long account, long amount) {
      this.account = account;
      this.amount = amount;
    }

    public long getAccount() {
      return account;
    }

    public long getAmount() {
      return amount;
    }
  }

  @Select("SELECT balance FROM account WHERE id = #{id}")
  long balance(@Param("id") long id);

  @Update("UPDATE account SET balance = balance + #{amount} WHERE id = #{id}")
  int add(@Param("id") long id, @Param("amount") long amount);

  @Insert("INSERT INTO booking (account_id, amount) VALUES (#{account}, #{amount})")
  @Options(useGeneratedKeys = true, keyProperty = "id")
  int insert(Booking booking);

  @Select("SELECT a.owner FROM booking b JOIN account a ON a.id = b.account_id WHERE b.id = #{id}")
  String owner(@Param("id") long booking);
}
