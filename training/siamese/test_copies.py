"""Tests of the rules that damage sentences or change their meaning: python -m unittest test_copies"""

import random
import unittest
from pathlib import Path

import meaning
import perturb
import templates
from texts import Lexicon, remove_word

TEXT = (
    "The council said on Monday that John Miller paid $4,500 to Anna Berg before 3 p.m., but she did not accept it. "
    "He left."
)
GIVEN = perturb.Given(
    "Der Rat sagte am Montag, dass Herr Miller zahlte.",
    ["Berlin"],
    ["house"],
    ["There was snow in the north all week."],
)


def all_copies(kind, text, rounds=60):
    found = (perturb.damaged(kind, text, random.Random(seed), GIVEN) for seed in range(rounds))
    return {copy for copy in found if copy is not None}


class Rules(unittest.TestCase):
    def test_every_kind_of_light_damage_changes_the_text(self):
        for kind in perturb.LIGHT:
            copies = all_copies(kind, TEXT + " The dog ran.")
            self.assertTrue(copies, kind)
            self.assertNotIn(TEXT + " The dog ran.", copies, kind)

    def test_case_and_spaces_are_all_that_changes(self):
        for kind in ("case_first", "case_word", "case_lower", "case_upper", "case_title"):
            self.assertEqual({copy.lower() for copy in all_copies(kind, TEXT)}, {TEXT.lower()}, kind)
        for kind in ("space_missing", "space_added"):
            for copy in all_copies(kind, TEXT):
                self.assertEqual(copy.replace(" ", ""), TEXT.replace(" ", ""))

    def test_damage_leaves_the_rest_as_it_is(self):
        odd = "A  b - c , d…e said the man , twice ."
        for copy in all_copies("change_function", odd):
            self.assertIn("A  b - c , d…e", copy.replace("The  b", "A  b").replace("An  b", "A  b"))

    def test_changes_of_meaning(self):
        for kind, text, expected in (
            ("roles", "The dog bit the man.", "The man bit the dog."),
            ("roles", "On the day Mexico defeated Chile, it rained.", "On the day Chile defeated Mexico, it rained."),
            ("roles", "Germany beat France in the final.", "France beat Germany in the final."),
            ("roles", "Prices rose from 5 to 9 euros.", "Prices rose from 9 to 5 euros."),
            ("negation", "She has arrived.", "She has not arrived."),
            ("negation", "She didn't come.", "She did come."),
            ("negation", "They paid the bill.", "They did not pay the bill."),
            ("antonym", "Prices rose.", "Prices fell."),
            ("quantifier", "All doors are shut.", "None of doors are shut."),
            ("modality", "You may go.", "You must go."),
            ("order", "Eat before noon.", "Eat after noon."),
            ("number", "It took 45 days.", "It took 54 days."),
            ("unit", "Take 5 mg.", "Take 5 g."),
            ("date", "On Monday it rained.", "On Friday it rained."),
            ("date", "due 03/04/2021", "due 04/03/2021"),
            ("time", "Come at 3 p.m. please", "Come at 3 a.m. please"),
            ("currency", "It costs €5.", "It costs $5."),
            ("pronoun", "He saw it.", "She saw it."),
            ("question", "He is late.", "Is he late?"),
            ("condition", "Stay if it rains.", "Stay unless it rains."),
            ("answer", "Yes, I know.", "No, I know."),
            ("answer", "Never.", "Always."),
            ("emoji", "Nice 😀", "Nice 😡"),
            ("direction", "Turn left.", "Turn right."),
            ("comparison", "It is more useful.", "It is less useful."),
            ("category", "A red car.", "A blue car."),
        ):
            self.assertIn(expected, all_copies(kind, text, 300), kind)

    def test_a_list_has_no_roles(self):
        self.assertEqual(all_copies("roles", "We met Anna and Peter."), set())
        self.assertEqual(all_copies("roles", "He bought the bread and the milk."), set())

    def test_an_answer_is_not_a_determiner(self):
        self.assertEqual(all_copies("answer", "No trees grow here."), set())

    def test_what_has_no_place_gives_nothing(self):
        for kind in ("currency", "emoji", "unit", "time", "date", "sentence_dropped", "roles"):
            self.assertEqual(all_copies(kind, "Nobody came."), set(), kind)

    def test_same_meaning(self):
        found = {meaning.same("They began quickly.", random.Random(seed)) for seed in range(50)}
        self.assertIn("They started rapidly.", found)
        self.assertIsNone(meaning.same("Xyz.", random.Random(1)))

    def test_every_kind_belongs_to_one_class(self):
        self.assertEqual(len(set(perturb.KINDS)), len(perturb.KINDS))
        self.assertIsNone(perturb.kind_class(perturb.SAME))
        self.assertEqual({perturb.kind_class(k) for k in perturb.KINDS}, {"light", "meaning", "heavy", None})


class Helpers(unittest.TestCase):
    def test_removed_words_leave_one_space_and_a_capital(self):
        self.assertEqual(remove_word("The old man", 4, 7), "The man")
        self.assertEqual(remove_word("The old man", 0, 3), "Old man")

    def test_lexicon_keeps_case_and_whole_words(self):
        lexicon = Lexicon([["all", "none"]])
        self.assertEqual(lexicon.change("All balls", random.Random(1)), "None balls")
        self.assertIsNone(lexicon.change("balls", random.Random(1)))


class Templates(unittest.TestCase):
    def test_groups_are_filled_and_distinct(self):
        for reference, outputs, copies in templates.groups(random.Random(3), 400):
            self.assertTrue(outputs)
            for text in (reference, *outputs, *(copy for _, copy in copies)):
                self.assertNotIn("{", text)
            for kind, copy in copies:
                self.assertIn(kind, perturb.MEANING)
                self.assertNotIn(copy, (reference, *outputs))

    def test_no_sentence_is_in_the_test_of_robustness(self):
        path = Path(__file__).parents[2] / "crates" / "tercet" / "tests" / "robustness" / "triples.tsv"
        tested = {text for line in path.read_text().split("\n") for text in line.split("\t")[3:]}
        self.assertGreater(len(tested), 900)
        for reference, outputs, copies in templates.groups(random.Random(4), 20000):
            for text in (reference, *outputs, *(copy for _, copy in copies)):
                self.assertNotIn(text, tested)


if __name__ == "__main__":
    unittest.main()
