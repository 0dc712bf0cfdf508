package io.isotail.applications;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;

/** Has no version column: its key comes from a sequence, fifty at a time. */
@Entity
class Account {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "account_seq")
  @SequenceGenerator(name = "account_seq", allocationSize = 50)
  Long id;

  String owner;
  long balance;

  protected Account() {}

  Account(String owner, long balance) {
    this.owner = owner;
    this.balance = balance;
  }
}
