package io.isotail.applications;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.SequenceGenerator;

/** A line of a purchase. */
@Entity
class Line {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "line_seq")
  @SequenceGenerator(name = "line_seq", allocationSize = 50)
  Long id;

  @ManyToOne(fetch = FetchType.LAZY)
  Purchase purchase;

  @ManyToOne(fetch = FetchType.LAZY)
  Product product;

  int quantity;

  protected Line() {}

  Line(Purchase purchase, Product product, int quantity) {
    this.purchase = purchase;
    this.product = product;
    this.quantity = quantity;
  }

  Product product() {
    return product;
  }
}
