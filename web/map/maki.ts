/** Icons of Maki as SVG, by name. @module */
import airport from "@mapbox/maki/icons/airport.svg?raw";
import alcoholShop from "@mapbox/maki/icons/alcohol-shop.svg?raw";
import artGallery from "@mapbox/maki/icons/art-gallery.svg?raw";
import attraction from "@mapbox/maki/icons/attraction.svg?raw";
import bakery from "@mapbox/maki/icons/bakery.svg?raw";
import bank from "@mapbox/maki/icons/bank.svg?raw";
import bar from "@mapbox/maki/icons/bar.svg?raw";
import beer from "@mapbox/maki/icons/beer.svg?raw";
import bicycle from "@mapbox/maki/icons/bicycle.svg?raw";
import bicycleShare from "@mapbox/maki/icons/bicycle-share.svg?raw";
import bus from "@mapbox/maki/icons/bus.svg?raw";
import cafe from "@mapbox/maki/icons/cafe.svg?raw";
import campsite from "@mapbox/maki/icons/campsite.svg?raw";
import car from "@mapbox/maki/icons/car.svg?raw";
import carRental from "@mapbox/maki/icons/car-rental.svg?raw";
import carRepair from "@mapbox/maki/icons/car-repair.svg?raw";
import casino from "@mapbox/maki/icons/casino.svg?raw";
import chargingStation from "@mapbox/maki/icons/charging-station.svg?raw";
import cinema from "@mapbox/maki/icons/cinema.svg?raw";
import circle from "@mapbox/maki/icons/circle.svg?raw";
import clothingStore from "@mapbox/maki/icons/clothing-store.svg?raw";
import college from "@mapbox/maki/icons/college.svg?raw";
import convenience from "@mapbox/maki/icons/convenience.svg?raw";
import dentist from "@mapbox/maki/icons/dentist.svg?raw";
import doctor from "@mapbox/maki/icons/doctor.svg?raw";
import embassy from "@mapbox/maki/icons/embassy.svg?raw";
import fastFood from "@mapbox/maki/icons/fast-food.svg?raw";
import ferry from "@mapbox/maki/icons/ferry.svg?raw";
import fireStation from "@mapbox/maki/icons/fire-station.svg?raw";
import fitnessCentre from "@mapbox/maki/icons/fitness-centre.svg?raw";
import florist from "@mapbox/maki/icons/florist.svg?raw";
import fuel from "@mapbox/maki/icons/fuel.svg?raw";
import furniture from "@mapbox/maki/icons/furniture.svg?raw";
import golf from "@mapbox/maki/icons/golf.svg?raw";
import grocery from "@mapbox/maki/icons/grocery.svg?raw";
import hairdresser from "@mapbox/maki/icons/hairdresser.svg?raw";
import harbor from "@mapbox/maki/icons/harbor.svg?raw";
import hardware from "@mapbox/maki/icons/hardware.svg?raw";
import hospital from "@mapbox/maki/icons/hospital.svg?raw";
import iceCream from "@mapbox/maki/icons/ice-cream.svg?raw";
import information from "@mapbox/maki/icons/information.svg?raw";
import jewelryStore from "@mapbox/maki/icons/jewelry-store.svg?raw";
import laundry from "@mapbox/maki/icons/laundry.svg?raw";
import library from "@mapbox/maki/icons/library.svg?raw";
import lodging from "@mapbox/maki/icons/lodging.svg?raw";
import mobilePhone from "@mapbox/maki/icons/mobile-phone.svg?raw";
import monument from "@mapbox/maki/icons/monument.svg?raw";
import mountain from "@mapbox/maki/icons/mountain.svg?raw";
import museum from "@mapbox/maki/icons/museum.svg?raw";
import music from "@mapbox/maki/icons/music.svg?raw";
import nightclub from "@mapbox/maki/icons/nightclub.svg?raw";
import optician from "@mapbox/maki/icons/optician.svg?raw";
import park from "@mapbox/maki/icons/park.svg?raw";
import parking from "@mapbox/maki/icons/parking.svg?raw";
import pharmacy from "@mapbox/maki/icons/pharmacy.svg?raw";
import placeOfWorship from "@mapbox/maki/icons/place-of-worship.svg?raw";
import playground from "@mapbox/maki/icons/playground.svg?raw";
import police from "@mapbox/maki/icons/police.svg?raw";
import post from "@mapbox/maki/icons/post.svg?raw";
import rail from "@mapbox/maki/icons/rail.svg?raw";
import railMetro from "@mapbox/maki/icons/rail-metro.svg?raw";
import religiousBuddhist from "@mapbox/maki/icons/religious-buddhist.svg?raw";
import religiousChristian from "@mapbox/maki/icons/religious-christian.svg?raw";
import religiousJewish from "@mapbox/maki/icons/religious-jewish.svg?raw";
import religiousMuslim from "@mapbox/maki/icons/religious-muslim.svg?raw";
import restaurant from "@mapbox/maki/icons/restaurant.svg?raw";
import restaurantNoodle from "@mapbox/maki/icons/restaurant-noodle.svg?raw";
import restaurantPizza from "@mapbox/maki/icons/restaurant-pizza.svg?raw";
import restaurantSeafood from "@mapbox/maki/icons/restaurant-seafood.svg?raw";
import restaurantSushi from "@mapbox/maki/icons/restaurant-sushi.svg?raw";
import school from "@mapbox/maki/icons/school.svg?raw";
import shoe from "@mapbox/maki/icons/shoe.svg?raw";
import shop from "@mapbox/maki/icons/shop.svg?raw";
import stadium from "@mapbox/maki/icons/stadium.svg?raw";
import swimming from "@mapbox/maki/icons/swimming.svg?raw";
import taxi from "@mapbox/maki/icons/taxi.svg?raw";
import teahouse from "@mapbox/maki/icons/teahouse.svg?raw";
import theatre from "@mapbox/maki/icons/theatre.svg?raw";
import toilet from "@mapbox/maki/icons/toilet.svg?raw";
import townHall from "@mapbox/maki/icons/town-hall.svg?raw";
import veterinary from "@mapbox/maki/icons/veterinary.svg?raw";
import viewpoint from "@mapbox/maki/icons/viewpoint.svg?raw";
import zoo from "@mapbox/maki/icons/zoo.svg?raw";

export const MAKI: Readonly<Record<string, string>> = {
  airport,
  "alcohol-shop": alcoholShop,
  "art-gallery": artGallery,
  attraction,
  bakery,
  bank,
  bar,
  beer,
  bicycle,
  "bicycle-share": bicycleShare,
  bus,
  cafe,
  campsite,
  car,
  "car-rental": carRental,
  "car-repair": carRepair,
  casino,
  "charging-station": chargingStation,
  cinema,
  circle,
  "clothing-store": clothingStore,
  college,
  convenience,
  dentist,
  doctor,
  embassy,
  "fast-food": fastFood,
  ferry,
  "fire-station": fireStation,
  "fitness-centre": fitnessCentre,
  florist,
  fuel,
  furniture,
  golf,
  grocery,
  hairdresser,
  harbor,
  hardware,
  hospital,
  "ice-cream": iceCream,
  information,
  "jewelry-store": jewelryStore,
  laundry,
  library,
  lodging,
  "mobile-phone": mobilePhone,
  monument,
  mountain,
  museum,
  music,
  nightclub,
  optician,
  park,
  parking,
  pharmacy,
  "place-of-worship": placeOfWorship,
  playground,
  police,
  post,
  rail,
  "rail-metro": railMetro,
  "religious-buddhist": religiousBuddhist,
  "religious-christian": religiousChristian,
  "religious-jewish": religiousJewish,
  "religious-muslim": religiousMuslim,
  restaurant,
  "restaurant-noodle": restaurantNoodle,
  "restaurant-pizza": restaurantPizza,
  "restaurant-seafood": restaurantSeafood,
  "restaurant-sushi": restaurantSushi,
  school,
  shoe,
  shop,
  stadium,
  swimming,
  taxi,
  teahouse,
  theatre,
  toilet,
  "town-hall": townHall,
  veterinary,
  viewpoint,
  zoo,
};
