package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.LedgerEntry;
import java.util.OptionalDouble;

/** Where the trouble's time went, for machines. */
final class LedgerJson {

  private LedgerJson() {}

  static void put(ObjectNode root, Diagnosis diagnosis) {
    root.put("unexplainedShare", diagnosis.unexplainedShare());
    ArrayNode ledger = root.putArray("ledger");
    for (LedgerEntry entry : diagnosis.ledger()) {
      ObjectNode line = ledger.addObject();
      line.put("effect", entry.effect().id());
      putBaseline(line, entry.baselinePerSecond());
      line.put("incidentThreads", entry.incidentPerSecond());
      line.put("excessThreadSeconds", entry.excessSeconds());
      line.put("share", entry.share());
      line.set("note", JsonText.text(entry.note()));
      ArrayNode sites = line.putArray("sites");
      for (LedgerEntry.Site site : entry.sites()) {
        ObjectNode node = sites.addObject();
        node.set("name", JsonText.text(site.name()));
        putBaseline(node, site.baselinePerSecond());
        node.put("incidentThreads", site.incidentPerSecond());
      }
    }
  }

  private static void putBaseline(ObjectNode node, OptionalDouble threads) {
    if (threads.isPresent()) {
      node.put("baselineThreads", threads.getAsDouble());
    } else {
      node.putNull("baselineThreads");
    }
  }
}
