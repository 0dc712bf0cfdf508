package io.isotail.applications;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.SequenceGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Its lines are loaded when somebody looks at them, and inserted in batches. */
@Entity
class Purchase {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "purchase_seq")
  @SequenceGenerator(name = "purchase_seq", allocationSize = 50)
  Long id;

  @ManyToOne(fetch = FetchType.LAZY)
  Account account;

  Instant placed = Instant.now();

  @OneToMany(mappedBy = "purchase", cascade = CascadeType.ALL)
  List<Line> lines = new ArrayList<>();

  protected Purchase() {}

  Purchase(Account account) {
    this.account = account;
  }

  void add(Product product, int quantity) {
    lines.add(new Line(this, product, quantity));
  }

  List<Line> lines() {
    return lines;
  }
}
