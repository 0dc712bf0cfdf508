package io.isotail.applications;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

/** Has a version column that Hibernate counts, and an identity column as its key. */
@Entity
class Product {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  Long id;

  String name;
  int stock;
  @Version int version;

  protected Product() {}

  Product(String name, int stock) {
    this.name = name;
    this.stock = stock;
  }

  String name() {
    return name;
  }
}
