/**
 * A shop as anybody would write it, with Spring Boot, Hibernate, HikariCP, Flyway and MyBatis. It
 * runs twice in a process of its own, on the real driver and on isotail's jar, and must not see a
 * difference.
 */
package io.isotail.applications;
