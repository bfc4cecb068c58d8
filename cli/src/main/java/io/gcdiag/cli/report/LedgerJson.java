package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.LedgerEntry;

/** Where the trouble's time went, for machines. */
final class LedgerJson {

  private LedgerJson() {}

  static void put(ObjectNode root, Diagnosis diagnosis) {
    root.set("unexplainedShare", JsonText.number(diagnosis.unexplainedShare()));
    ArrayNode ledger = root.putArray("ledger");
    for (LedgerEntry entry : diagnosis.ledger()) {
      ObjectNode line = ledger.addObject();
      line.put("effect", entry.effect().id());
      line.set("baselineThreads", JsonText.number(entry.baselinePerSecond()));
      line.set("incidentThreads", JsonText.number(entry.incidentPerSecond()));
      line.set("excessThreadSeconds", JsonText.number(entry.excessSeconds()));
      line.set("share", JsonText.number(entry.share()));
      line.put("atMost", entry.atMost());
      line.set("note", JsonText.text(entry.note()));
      ArrayNode sites = line.putArray("sites");
      for (LedgerEntry.Site site : entry.sites()) {
        ObjectNode node = sites.addObject();
        node.set("name", JsonText.text(site.name()));
        node.set("baselineThreads", JsonText.number(site.baselinePerSecond()));
        node.set("incidentThreads", JsonText.number(site.incidentPerSecond()));
      }
    }
  }
}
