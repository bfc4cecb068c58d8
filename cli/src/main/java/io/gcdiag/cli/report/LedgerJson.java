package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.books.CausalLink;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.diagnosis.Diagnosis;

/** Where the lost time went and on account of what, for machines. */
final class LedgerJson {

  private LedgerJson() {}

  static void put(ObjectNode root, Diagnosis diagnosis) {
    ArrayNode chain = root.putArray("causalChain");
    diagnosis.causes().chain().forEach(link -> putLink(chain.addObject(), link));
    ArrayNode beside = root.putArray("otherCausalLinks");
    diagnosis.causes().beside().forEach(link -> putLink(beside.addObject(), link));
    root.set("unexplainedShare", JsonText.number(diagnosis.unexplainedShare()));
    ArrayNode ledger = root.putArray("ledger");
    for (LedgerEntry entry : diagnosis.ledger()) {
      ObjectNode line = ledger.addObject();
      line.put("effect", entry.effect().id());
      line.set("baselineThreads", JsonText.number(entry.baselinePerSecond()));
      line.set("incidentThreads", JsonText.number(entry.incidentPerSecond()));
      JsonText.putInterval(line, "incidentThreadsInterval", entry.interval());
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

  private static void putLink(ObjectNode node, CausalLink link) {
    node.set("from", JsonText.text(link.from()));
    node.set("to", JsonText.text(link.to()));
    node.set("statement", JsonText.text(link.statement()));
    node.set("threadSeconds", JsonText.number(link.seconds()));
    node.set("share", JsonText.number(link.share()));
    node.set("rule", JsonText.text(link.rule()));
    ArrayNode sources = node.putArray("sources");
    link.sources().forEach(source -> sources.add(JsonText.text(source.toString())));
  }
}
