package io.isotail.monitor.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.terminal.Paint;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The transactions of Courseware, each run once, against what was published of them: a course gets
 * more students than places, and a student is in a course that is gone ([1] Section 7).
 *
 * <p>[1] Nagar, Jagannathan: Automated Detection of Serializability Violations under Weak
 * Consistency, CONCUR 2018.
 */
class CoursewareForecastTest {
  private static final String STUDENTS_OF = "SELECT count(*) FROM enrolments WHERE course = ?";

  private static Ran[] transactions(String level) {
    return new Ran[] {
      Ran.at(level, "Register")
          .write("INSERT INTO students (id, name) VALUES (?, ?)", "students 1"),
      Ran.at(level, "AddCourse")
          .write("INSERT INTO courses (id, places, open) VALUES (?, ?, true)", "courses 1"),
      Ran.at(level, "Enrol")
          .read("SELECT id FROM students WHERE id = ?", "students 2")
          .read("SELECT places FROM courses WHERE id = ? AND open", "courses 2")
          .read(STUDENTS_OF)
          .write("INSERT INTO enrolments (student, course) VALUES (?, ?)", "enrolments 2-2"),
      Ran.at(level, "CloseCourse")
          .write("UPDATE courses SET open = false WHERE id = ?", "courses 3"),
      Ran.at(level, "RemoveCourse")
          .read(STUDENTS_OF)
          .delete("DELETE FROM courses WHERE id = ?", "courses 4"),
      Ran.at(level, "StudentsOf")
          .read("SELECT student FROM enrolments WHERE course = ?", "enrolments 5-5"),
    };
  }

  private static List<List<String>> found(String level) {
    Foreseen foreseen =
        Foreseen.of(Ran.templates(transactions(level)), IsolationLevel.SERIALIZABLE);
    System.out.println(ForecastText.of(foreseen, Paint.PLAIN));
    return Found.in(foreseen);
  }

  @Test
  void atSnapshotIsolationBothPublishedViolationsAreFoundAndNoOther() {
    assertThat(found("postgresql:repeatable-read"))
        .containsExactlyInAnyOrder(List.of("Enrol", "Enrol"), List.of("Enrol", "RemoveCourse"));
  }

  @Test
  void serializableTransactionsAreForecastNothing() {
    assertThat(found("postgresql:serializable")).isEmpty();
  }
}
